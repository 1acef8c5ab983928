import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Misbehaviour, misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import { type CallName, calls, type FormFields } from '../protocol.ts'
import { answer, refusal } from './simulated-calls.ts'
import type { SimulatedCloud } from './simulated-cloud.ts'

/** Simulates the cloud at the other end of a connection. Resolves when the connection has ended. */
export function simulateTtlock(wire: Duplex, cloud: SimulatedCloud): Promise<void> {
  const server = createServer((request, response) => {
    serve(cloud, request, response).catch(() => request.socket.destroy())
  })
  wire.on('error', () => {})
  // This server does not listen: its caller accepts the connections and passes them on.
  server.emit('connection', wire)
  return new Promise((resolve) => {
    wire.once('close', resolve)
    if (wire.destroyed) resolve()
  })
}

async function serve(
  cloud: SimulatedCloud,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('date', new Date(cloud.clock.now()).toUTCString())
  response.sendDate = false
  const url = new URL(request.url ?? '/', 'http://cloud')
  const names = Object.keys(calls) as CallName[]
  const call = names.find(
    (each) => calls[each].path === url.pathname && calls[each].method === request.method,
  )
  const body = await formIn(request)
  if (!call) return respond(response, 404, '<html><body>not found</body></html>', 'text/html')
  const fields: FormFields = Object.fromEntries(
    call.startsWith('list') ? url.searchParams : new URLSearchParams(body),
  )
  cloud.requests.push({ call, fields })
  const wrong = misbehaviourFor(call, cloud.misbehaviours)
  if (wrong) return misbehave(cloud, wrong, () => answer(cloud, call, fields), response)
  respond(response, 200, JSON.stringify(await answer(cloud, call, fields)))
}

async function misbehave(
  cloud: SimulatedCloud,
  { does, code = '' }: Misbehaviour,
  carryOut: () => Promise<object>,
  response: ServerResponse,
): Promise<void> {
  if (does === 'silence') return
  if (does === 'close') {
    response.socket?.destroy()
    return
  }
  if (does === 'refuse') {
    distort(response, code || '1', refusal(-3))
    return
  }
  const result = await carryOut()
  if (does === 'garble') distort(response, code || 'cut', result)
  if (does !== 'pass') return
  if (code === 'held') await new Promise<void>((release) => cloud.held.push(release))
  await cloud.clock.sleep(Number(/^slow(\d+)$/.exec(code)?.[1] ?? 0))
  respond(response, 200, JSON.stringify(result))
}

/** Sends a wrong answer of this kind. A number is an errcode; an unknown kind cuts the answer. */
function distort(response: ServerResponse, how: string, truth: object): void {
  const text = JSON.stringify(truth)
  const status = Number(/^http(\d{3})$/.exec(how)?.[1])
  if (/^-?\d+$/.test(how)) respond(response, 200, JSON.stringify(refusal(Number(how))))
  else if (status) respond(response, status, '<html><body>trouble</body></html>', 'text/html')
  else (distortions[how] ?? cut)(response, text)
}

const distortions: Record<string, (response: ServerResponse, text: string) => void> = {
  html: (response, text) => respond(response, 200, `<html><body>${text}</body></html>`, 'text/html'),
  empty: (response) => respond(response, 200, '{}'),
  huge: (response, text) => respond(response, 200, JSON.stringify({ text, more: 'x'.repeat(2_000_000) })),
  redirect(response) {
    response.setHeader('location', 'https://elsewhere.example/')
    respond(response, 302, '')
  },
  drop: (response) => void response.socket?.destroy(),
  cut,
}

/** Sends half of the answer and drops the connection. */
function cut(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
  response.write(text.slice(0, text.length >> 1), () => response.socket?.destroy())
}

function respond(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': `${type};charset=utf-8` }).end(body)
}

/** The body of the request. Throws when it is longer than 16 kB. */
async function formIn(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > 16_384) throw new RangeError('too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
