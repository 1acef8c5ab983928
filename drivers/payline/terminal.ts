import { randomInt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Timing } from '../../src/devices/driver.ts'
import {
  type PaymentTerminal,
  TerminalFault,
  type TerminalOutcome,
} from '../../src/devices/payment-terminal.ts'
import { lineSplitter, type PaylineRequest, type RequestName, requests } from './protocol.ts'

interface Waiting {
  answered(outcome: TerminalOutcome): void
  failed(fault: TerminalFault): void
}

/** A terminal over an open wire. When the wire breaks, all that is asked rejects. */
export function paylineTerminal(
  wire: Duplex,
  { clock, patience, payWithinMs }: Timing & { payWithinMs: number },
): PaymentTerminal {
  const waiting = new Map<number, Waiting>()
  // A line behind a converter may still deliver the answer to a request of an earlier connection.
  let lastId = randomInt(2 ** 40)

  const lost = () => {
    for (const { failed } of waiting.values()) failed(new TerminalFault('The line to the terminal broke.'))
    waiting.clear()
  }
  wire.on('close', lost)
  wire.on('end', lost)
  wire.on('error', lost)
  wire.on(
    'data',
    lineSplitter((line) => {
      const answer = readAnswer(line)
      if (!answer) return
      waiting.get(answer.id)?.answered(answer.outcome)
      waiting.delete(answer.id)
    }),
  )

  function request(name: RequestName, body: Omit<PaylineRequest, 'id'>): Promise<TerminalOutcome> {
    const id = ++lastId
    const { promise, resolve: answered, reject: failed } = Promise.withResolvers<TerminalOutcome>()
    waiting.set(id, { answered, failed })
    const within = (requests[name].withinMs ?? payWithinMs) * patience
    const timer = clock.setTimeout(() => {
      waiting.delete(id)
      failed(new TerminalFault('The terminal did not answer.'))
    }, within)
    if (wire.destroyed) lost()
    else wire.write(`${JSON.stringify({ id, ...body })}\n`)
    return promise.finally(() => timer.cancel())
  }

  return {
    pay: (pay) => request('pay', { pay }),
    ask: (reference) => request('ask', { ask: reference }),
    cancel: (reference) => request('cancel', { cancel: reference }),
  }
}

/** Returns null for a line that is no answer. */
function readAnswer(line: string): { id: number; outcome: TerminalOutcome } | null {
  let message: Record<string, unknown>
  try {
    // `null` is JSON too.
    message = JSON.parse(line) ?? {}
  } catch {
    return null
  }
  const { id, outcome, transactionId, brand, reason } = message
  if (typeof id !== 'number') return null
  const text = (value: unknown, most: number) => String(value ?? '').slice(0, most)
  switch (outcome) {
    case 'paid':
      // Without its number the payment could be recorded twice.
      if (typeof transactionId !== 'string' || transactionId === '') return null
      return { id, outcome: { outcome, transactionId: text(transactionId, 128), brand: text(brand, 60) } }
    case 'refused':
      return { id, outcome: { outcome, reason: text(reason, 60) } }
    case 'under-way':
    case 'none':
      return { id, outcome: { outcome } }
    default:
      return null
  }
}
