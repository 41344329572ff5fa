/** Sends a request to the instance that served the page. A failure is thrown as an Error whose message can be shown. */
export async function ask(path, method = 'GET') {
  const response = await fetch(`v1/${path}`, { method, headers: { Accept: 'application/json' } });
  const answer = await response.json();
  if (answer.code !== 0) {
    throw new Error(answer.message);
  }
  return answer.data;
}

export const query = parameters => new URLSearchParams(parameters).toString();
export const pause = millis => new Promise(resolve => setTimeout(resolve, millis));
