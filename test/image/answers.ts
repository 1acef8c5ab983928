import type { ChildProcess } from 'node:child_process'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** Ports of the host that lead to the machine. */
export const ports = { 443: await freePort(), 80: await freePort() }
/** How long a start may take: an emulated machine that shares its processors is slow. */
export const longestStartMs = 2_400_000

export interface GetOptions {
  port?: number
  withinMs?: number
  /** Repeats until the status of the answer is this. */
  status?: number
}

export interface Answer {
  status: number
  text: string
}

/** Requests a path at a port of the machine, without checking its certificate. */
export type Request = (path: string, port: number, asking?: Asking) => Promise<Answer>

/**
 * Requests from the host, over the network of the machine. Each request has a connection of its own: one that was kept leads to an
 * address that the machine may not have any more.
 */
export const overNetwork: Request = (
  path,
  port,
  { method = 'GET', headers = {}, body, withinMs = 600_000 } = {},
) => {
  const [request, to] = port === 80 ? [requestPlain, ports[80]] : [requestSecure, ports[443]]
  const signal = AbortSignal.timeout(withinMs)
  const options = {
    host: '127.0.0.1',
    port: to,
    path,
    method,
    headers,
    rejectUnauthorized: false,
    agent: false,
    signal,
  }
  return new Promise((resolve, reject) => {
    const asking = request(options, (answer) => {
      let text = ''
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => {
          text += part
        })
        .on('error', reject)
        .on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    asking.on('error', reject).end(body)
  })
}

/** Requests a path until there is an answer, or one with the wanted status. */
export async function answered(
  path: string,
  child: ChildProcess,
  request: Request,
  { port = 443, withinMs = longestStartMs, status }: GetOptions = {},
): Promise<Answer> {
  let last = 'nothing'
  for (const end = Date.now() + withinMs; Date.now() < end && child.exitCode === null; await pause(300)) {
    try {
      const answer = await request(path, port, { withinMs: 120_000 })
      if (status === undefined || answer.status === status) return answer
      last = `${answer.status} ${answer.text}`
    } catch (error) {
      last = (error as Error).message
    }
  }
  throw new Error(`No answer of ${path} within ${withinMs} ms; at last ${last}`)
}

export interface Asking {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | undefined
  /** Rejects without an answer until then: a connection that the start of a box has cut gets none. */
  withinMs?: number
}
