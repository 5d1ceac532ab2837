// The change of one line, as a diff for each client. code-samples.test.ts runs the new code against a server of its own.
import { settings } from '../settings.ts';
import type { CodeLine, CodeSample } from '../types.ts';

const before = 'https://provider.example/v1';

/** The base URL of the service. */
export const baseUrl = `${settings.origin.replace(/\/\/(?:www\.)?/, '//api.')}/v1`;

/** Samples in the shape of an OpenAI-compatible client. As in a diff, each line begins with a space, `-` or `+`. */
export const codeSamples: readonly CodeSample[] = [
  {
    language: 'Python',
    diff: ` import os
 from openai import OpenAI
 
 client = OpenAI(
   api_key=os.environ["PROVIDER_KEY"],
-  base_url="${before}",
+  base_url="${baseUrl}",
 )
 answer = client.chat.completions.create(
   model="your-model",
   messages=[{"role": "user", "content": "Hello"}],
 )
 print(answer.choices[0].message.content)`,
  },
  {
    language: 'JavaScript',
    diff: ` import OpenAI from 'openai';
 
 const client = new OpenAI({
   apiKey: process.env.PROVIDER_KEY,
-  baseURL: '${before}',
+  baseURL: '${baseUrl}',
 });
 const answer = await client.chat.completions.create({
   model: 'your-model',
   messages: [{ role: 'user', content: 'Hello' }],
 });
 console.log(answer.choices[0].message.content);`,
  },
  {
    language: 'curl',
    diff: `-curl ${before}/chat/completions \\
+curl ${baseUrl}/chat/completions \\
   -H "Authorization: Bearer $PROVIDER_KEY" \\
   -H "Content-Type: application/json" \\
   -d '{"model": "your-model",
     "messages": [{"role": "user", "content": "Hello"}]}'`,
  },
];

/** Returns the lines of a diff. */
export const linesIn = (diff: string): readonly CodeLine[] => diff.split('\n').map((line) => ({ mark: line.charAt(0), text: line.slice(1) }));
