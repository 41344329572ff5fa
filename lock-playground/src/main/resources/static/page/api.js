import { currentLanguage, text } from './texts.js';

/** So long may a question remain without an answer. A command may have to wait for a process. */
const QUESTION = 10_000;
const COMMAND = 60_000;

/**
 * Sends a request to the instance that served the page. A failure is thrown as an Error whose message can be shown, with the HTTP
 * status of a refusal. The server obeys commands only with the header, which no other page can send.
 */
export async function ask(path, method = 'GET') {
  const headers = { 'Accept': 'application/json', 'Accept-Language': currentLanguage(), 'X-Playground-Page': 'yes' };
  const signal = AbortSignal.timeout(method === 'GET' ? QUESTION : COMMAND);
  let status;
  const answer = await fetch(`v1/${path}`, { method, headers, signal }).then(response => {
    status = response.status;
    return response.json();
  }).catch(() => {
    throw new Error(text('gone'));
  });
  if (answer.code !== 0) {
    throw Object.assign(new Error(answer.message), { status });
  }
  return answer.data;
}

export const query = parameters => new URLSearchParams(parameters).toString();
export const pause = millis => new Promise(resolve => setTimeout(resolve, millis));
