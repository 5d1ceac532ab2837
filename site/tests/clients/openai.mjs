// The part of the client for JavaScript that the code sample uses, for tests without its package.

/**
 * Sends requests as the package does.
 *
 * @param {{ apiKey: string, baseURL: string }} options
 */
export default function OpenAI({ apiKey, baseURL }) {
  /** @param {unknown} body */
  const create = async (body) => {
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  return { chat: { completions: { create } } };
}
