import type { ChildProcess } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, longestStartMs, type Request } from './answers.ts'

/** The answer of a command in the machine. */
export interface Ran {
  code: number
  out: string
  err: string
}

/** Connects to a socket that QEMU will make, and calls back with each line. */
async function lines(path: string, child: ChildProcess, got: (line: string) => void): Promise<Socket> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('QEMU has ended; see qemu.log.')
    const socket = connect(path)
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    if (isOpen) {
      socket.on('error', () => {})
      // It passes the errors of the socket on: a machine whose plug is pulled resets the connection.
      createInterface({ input: socket })
        .on('line', got)
        .on('error', () => {})
      return socket
    }
    await pause(200)
  }
}

/** Runs commands in a machine, by the agent that its start has injected at a socket. */
export function agentOf(path: string, child: ChildProcess) {
  const waiting = new Map<number, PromiseWithResolvers<Ran | Answer>>()
  let next = 1
  let starts = 0
  let seen = 0
  const socket = lines(path, child, (line) => {
    // What a serial line carried before the agent opened it.
    if (!line.startsWith('{"id"')) return
    const { id, ...answer } = JSON.parse(line) as (Ran | Answer) & { id: number }
    if (id === 0) {
      starts++
      // What was asked before is not answered any more.
      for (const { reject } of waiting.values()) reject(new Error('The machine has started again.'))
      waiting.clear()
    }
    waiting.get(id)?.resolve(answer)
    waiting.delete(id)
  })
  socket.catch(() => {})
  async function started(withinMs = longestStartMs): Promise<void> {
    await socket
    for (const end = Date.now() + withinMs; starts === seen; await pause(100)) {
      if (Date.now() > end) throw new Error(`The machine has not started within ${withinMs} ms.`)
      if (child.exitCode !== null) throw new Error('QEMU has ended.')
    }
    seen = starts
  }
  async function ask<Given extends Ran | Answer>(order: object, withinMs: number): Promise<Given> {
    if (seen === 0) await started()
    const id = next++
    const answer = Promise.withResolvers<Ran | Answer>()
    waiting.set(id, answer)
    ;(await socket).write(`${JSON.stringify({ id, withinMs, ...order })}\n`)
    const late = new Error(`No answer from the machine within ${withinMs} ms to ${JSON.stringify(order)}.`)
    const timer = setTimeout(() => answer.reject(late), withinMs + 30_000)
    return (await answer.promise.finally(() => clearTimeout(timer))) as Given
  }
  const run = (shell: string, withinMs = 600_000) => ask<Ran>({ shell }, withinMs)
  /** Requests inside the machine, for one without a network. */
  const request: Request = async (path, port, asking = {}) => {
    const answer = await ask<Answer>({ request: { path, port, ...asking } }, 600_000)
    if (answer.status === 0) throw new Error(answer.text)
    return answer
  }
  return { started, run, request }
}

/** Executes commands of QEMU's control protocol at a socket. */
export function controlOf(path: string, child: ChildProcess) {
  const waiting: { resolve(value: unknown): void; reject(error: Error): void }[] = []
  const socket = lines(path, child, (line) => {
    const { return: result, error } = JSON.parse(line) as { return?: unknown; error?: { desc: string } }
    if (error) waiting.shift()?.reject(new Error(error.desc))
    else if (result !== undefined) waiting.shift()?.resolve(result)
  })
  socket.catch(() => {})
  const send = async (execute: string, input?: object) => {
    const answer = Promise.withResolvers<unknown>()
    waiting.push(answer)
    ;(await socket).write(`${JSON.stringify({ execute, ...(input && { arguments: input }) })}\n`)
    return answer.promise
  }
  const ready = send('qmp_capabilities')
  ready.catch(() => {})
  return async (execute: string, input?: object) => {
    await ready
    return send(execute, input)
  }
}
