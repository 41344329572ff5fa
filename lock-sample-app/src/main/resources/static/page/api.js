import { currentLanguage, text } from './texts.js';

/** Sends a request to the instance that served the page. A failure is thrown as an Error whose message can be shown. */
export async function ask(path, method = 'GET') {
  const headers = { 'Accept': 'application/json', 'Accept-Language': currentLanguage(), 'X-Sample-Page': 'yes' };
  const response = await fetch(`v1/${path}`, { method, headers }).catch(() => {
    throw new Error(text('gone'));
  });
  const answer = await response.json();
  if (answer.code !== 0) {
    throw new Error(answer.message);
  }
  return answer.data;
}

export const query = parameters => new URLSearchParams(parameters).toString();
export const pause = millis => new Promise(resolve => setTimeout(resolve, millis));
