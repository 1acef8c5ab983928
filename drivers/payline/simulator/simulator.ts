import type { Duplex } from 'node:stream'
import type { TerminalOutcome } from '../../../src/devices/payment-terminal.ts'
import { type Misbehaviour, misbehaviourFor } from '../../../src/simulators/devices/misbehaviour.ts'
import { lineSplitter, type PaylineRequest, requests } from '../protocol.ts'

/** A simulated terminal with a guest who pays at once. It keeps what became of each payment when the wire is cut. */
export interface SimulatedTerminal {
  misbehaviours: Misbehaviour[]
  /** What became of each payment, by its reference. */
  payments: Map<string, TerminalOutcome>
  /** What the guest does at the terminal. `wait` leaves the payment under way until the guest decides or it is canceled. */
  guest: 'pay' | 'refuse' | 'wait'
  /** Sends the end of a payment that is under way, by its reference. */
  waiting: Map<string, (outcome: TerminalOutcome) => void>
  /** Changes what the guest does, also the one who waits. */
  decide(guest: SimulatedTerminal['guest']): void
}

/** A terminal at which each guest pays, until it is made to decide otherwise. */
export function terminal(): SimulatedTerminal {
  const device: SimulatedTerminal = {
    misbehaviours: [],
    payments: new Map(),
    guest: 'pay',
    waiting: new Map(),
    decide(guest) {
      device.guest = guest
      for (const [reference, { outcome }] of device.payments)
        if (outcome === 'under-way') end(device, reference, atTerminal(device))
    },
  }
  return device
}

/** The payment ends with this outcome, unless it is still under way. */
function end({ payments, waiting }: SimulatedTerminal, reference: string, outcome: TerminalOutcome): void {
  payments.set(reference, outcome)
  if (outcome.outcome === 'under-way') return
  waiting.get(reference)?.(outcome)
  waiting.delete(reference)
}

/** The names of the requests at which it can misbehave. */
export const terminalCommands: readonly string[] = Object.keys(requests)

/** Plays the terminal at the far end of a wire. Resolves when the wire has ended. */
export function simulatePayline(wire: Duplex, device: SimulatedTerminal): Promise<void> {
  const ended = Promise.withResolvers<void>()
  wire.on('close', () => ended.resolve())
  wire.on('end', () => wire.end())
  wire.on('error', () => ended.resolve())
  wire.on(
    'data',
    lineSplitter((line) => handle(wire, device, JSON.parse(line) as PaylineRequest)),
  )
  return ended.promise
}

function handle(wire: Duplex, device: SimulatedTerminal, request: PaylineRequest): void {
  const name = request.pay ? 'pay' : request.ask !== undefined ? 'ask' : 'cancel'
  const wrong = misbehaviourFor(name, device.misbehaviours)
  if (wrong?.does === 'silence') return
  if (wrong?.does === 'close') {
    wire.destroy()
    return
  }
  const outcome =
    wrong?.does === 'refuse' ? refusedFor(device, request, wrong.code) : perform(device, request)
  if (wrong?.does === 'late') return
  const answer = (ended: TerminalOutcome) => wire.write(`${JSON.stringify({ id: request.id, ...ended })}\n`)
  if (wrong?.does === 'garble') wire.write('{"id":\u0001\n')
  else if (request.pay && outcome.outcome === 'under-way') device.waiting.set(request.pay.reference, answer)
  else answer(outcome)
}

function perform(device: SimulatedTerminal, { pay, ask, cancel }: PaylineRequest): TerminalOutcome {
  const { payments } = device
  const reference = pay?.reference ?? ask ?? cancel ?? ''
  const before = payments.get(reference)
  if (pay && !before) payments.set(reference, atTerminal(device))
  if (cancel !== undefined && before?.outcome === 'under-way')
    end(device, reference, { outcome: 'refused', reason: 'canceled' })
  return payments.get(reference) ?? { outcome: 'none' }
}

function atTerminal({ payments, guest }: SimulatedTerminal): TerminalOutcome {
  if (guest === 'wait') return { outcome: 'under-way' }
  if (guest === 'refuse') return { outcome: 'refused', reason: 'declined' }
  const before = [...payments.values()].filter(({ outcome }) => outcome === 'paid').length
  return { outcome: 'paid', transactionId: String(before + 1).padStart(6, '0'), brand: 'Visa' }
}

function refusedFor(device: SimulatedTerminal, { pay }: PaylineRequest, code = 'declined'): TerminalOutcome {
  const outcome = { outcome: 'refused', reason: code } as const
  if (pay) device.payments.set(pay.reference, outcome)
  return outcome
}
