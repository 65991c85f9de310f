// A client that speaks JSON over kept connections.
import http from 'node:http';

/** `call(method, path, body?, token?)` → the body of the answer; an answer that is no success is an error. */
export function client(port, connections) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  return (method, path, body, token) =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const headers = content ? { 'content-type': 'application/json', 'content-length': content.length } : {};
      if (token) headers.authorization = `Bearer ${token}`;
      const request = http.request({ host: '127.0.0.1', port, method, path, agent, headers, timeout: 20000 }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('end', () => {
          const text = Buffer.concat(parts).toString();
          if (answer.statusCode >= 300) reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`));
          else resolve(JSON.parse(text));
        });
      });
      request.on('timeout', () => request.destroy(new Error(`${method} ${path}: no answer in 20 s`)));
      request.on('error', reject);
      request.end(content);
    });
}

/** `count` times `make(n)`, at most `width` at a time. */
export async function many(count, width, make) {
  const made = new Array(count);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(width, count) }, async () => {
      for (let n = next++; n < count; n = next++) made[n] = await make(n);
    }),
  );
  return made;
}
