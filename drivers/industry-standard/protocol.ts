import type { FaultCode } from '../../src/devices/fault.ts'

/**
 * The commands in use, `¦` being the separator:
 *
 *   CN1¦enc¦E¦room¦room¦room¦room¦granted¦denied¦start¦expiry¦operator    <  CN1¦enc[¦uid]    a new guest, one card
 *   CC1¦ the same                                                         <  CC1¦enc[¦uid]    a copy; some echo CN
 *   CA1¦ the same, one room alone                                         <  CA1¦enc[¦uid]    opens once
 *   CO¦0¦room                                                             <  CO¦0             check-out
 *   LT¦enc¦E                                                              <  LT¦enc¦…         reads, see card.ts
 *   EX¦enc¦E                                                              <  EX¦enc           calls off what the encoder does
 *
 * Every failure is `code¦enc`, EG with a text after it.
 */
export type CommandName = 'CN1' | 'CC1' | 'CA1' | 'CO' | 'LT' | 'EX'

/** In ms, stretched or shortened by the connection's `patience`. */
export const limits = {
  /** For ACK or NAK; the link counts as down after it. */
  ackMs: 2_000,
  /** A message that stops for so long is given up. */
  gapMs: 200,
  /** How long nothing may be heard before we believe that nothing more is on its way. */
  quietMs: 300,
  /** For calling off what an encoder does. */
  callOffMs: 4_000,
  /** Between two questions whether a busy lock system is ready, and how long they go on. */
  againMs: 500,
  busyMs: 5_000,
  /** How long an encoder may owe an answer; one without a card owes it for less. */
  owesMs: 120_000,
  owesWithoutCardMs: 30_000,
  /** How often a line that is not used is asked whether the lock system is there. */
  watchMs: 30_000,
} as const

/** A request that was declined has not been carried out; so many times it is offered. */
export const offers = 3

/** The number that stands for "no encoder". */
export const noEncoder = '0'
export const greatestEncoder = 99
export const roomsOnCard = 4

interface Refusal {
  text: string
  fault: FaultCode
  /** Only a command that works on a card says this, so that it is never the answer to EX. */
  ofCard?: true
  /** The key may have been made. Where the fault leaves it open. */
  unclear?: true
}

/** What a failure means. Every fault here but `dispenser-jam` and `vendor-error` says that nothing was done. */
export const refusals: Readonly<Record<string, Refusal>> = {
  EA: {
    text: 'the room is checked out, or has too many cards that open once',
    fault: 'lock-system-rejected',
  },
  EB: { text: 'the encoder is busy', fault: 'encoder-busy' },
  ED: { text: 'no card was inserted in time', fault: 'no-card', ofCard: true },
  EE: { text: 'the lock system called it off', fault: 'lock-system-rejected', ofCard: true },
  EF: { text: 'the card is foreign or damaged', fault: 'card-incompatible', ofCard: true },
  EG: { text: 'a general error', fault: 'vendor-error' },
  EN: { text: 'the operator has not the level for it', fault: 'lock-system-rejected' },
  EO: { text: 'the room is being worked on at another station', fault: 'lock-system-retry' },
  EP: { text: 'there is no card, or it lies the wrong way', fault: 'no-card', ofCard: true },
  ES: { text: 'the request is not understood', fault: 'lock-system-rejected' },
  ET: { text: 'the card is jammed', fault: 'dispenser-jam', ofCard: true, unclear: true },
  EZ: { text: 'encoder zero is not supported', fault: 'unsupported-operation' },
  NC: { text: 'the encoder does not answer the lock system', fault: 'encoder-offline' },
  NF: { text: 'the lock system misses its database', fault: 'lock-system-rejected' },
  OS: { text: 'the room is out of service', fault: 'lock-system-rejected' },
  OV: { text: 'the encoder has not finished what it did before', fault: 'encoder-busy' },
  PE: { text: 'the operator or the password is wrong', fault: 'lock-system-auth-failed' },
  TD: { text: 'the room is not known', fault: 'unit-unknown' },
}

/** Two letters that are the answer to no command in use. */
export function isRefusal(name: string): boolean {
  return /^[A-Z]{2}$/.test(name) && !['CN', 'CC', 'CA', 'CO', 'LT', 'EX'].includes(name)
}

/** Whether an answer begins as one to this command does. Some lock systems leave the number out, or echo CN for CC. */
export function answers(command: CommandName, name: string): boolean {
  if (name === command) return true
  const [letters, digit] = [command.slice(0, 2), command.slice(2)]
  if (digit === '') return false
  return name === letters || (letters === 'CC' && (name === `CN${digit}` || name === 'CN'))
}
