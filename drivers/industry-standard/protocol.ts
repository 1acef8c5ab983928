import type { FaultCode } from '../../src/devices/fault.ts'

/**
 * The commands in use, `¦` being the separator:
 *
 *   CN1¦enc¦E¦room¦room¦room¦room¦granted¦denied¦start¦expiry¦operator    <  CN1¦enc[¦uid]    a new guest, one card
 *   CC1¦ the same                                                         <  CC1¦enc[¦uid]    a copy; some echo CN
 *   CA1¦ the same, one room alone                                         <  CA1¦enc[¦uid]    opens once
 *   CO¦0¦room                                                             <  CO¦0             check-out
 *   LT¦enc¦E                                                              <  LT¦enc¦…         reads, see card.ts
 *   EX¦enc¦E                                                              <  EX¦enc           cancels the work of the encoder
 *
 * Every failure is `code¦enc`, EG with a text after it.
 */
export type EncoderCommandName = 'CN1' | 'CC1' | 'CA1' | 'CO' | 'LT' | 'EX'

/** In ms, multiplied by the connection's `patience`. */
export const limits = {
  /** The deadline of ACK or NAK; after it the link counts as down. */
  ackMs: 2_000,
  /** A partial message that has not grown for this long is dropped. */
  gapMs: 200,
  /** How long the line must be silent before no further message is expected. */
  quietMs: 300,
  /** The deadline of a cancellation. */
  callOffMs: 4_000,
  /** The pause between two enquiries to a busy lock system, and their total time. */
  againMs: 500,
  busyMs: 5_000,
  /** How long an answer of an encoder may stay outstanding; without a card it is shorter. */
  owesMs: 120_000,
  owesWithoutCardMs: 30_000,
  /** The interval of the enquiries on an idle line. */
  watchMs: 30_000,
} as const

/** A declined request was not executed; it is sent this many times at most. */
export const offers = 3

/** The number that means "no encoder". */
export const noEncoder = '0'
export const greatestEncoder = 99
export const roomsOnCard = 4

interface Refusal {
  text: string
  fault: FaultCode
  /** True for a failure that only a command on a card reports, so that it is never the answer to EX. */
  ofCard?: true
  /** True when the key may have been made. Set only where the fault leaves it open. */
  unclear?: true
}

/** The meanings of the failures. All faults but `dispenser-jam` and `vendor-error` mean that nothing was done. */
export const refusals: Readonly<Record<string, Refusal>> = {
  EA: {
    text: 'the room is checked out, or has too many cards that open once',
    fault: 'lock-system-rejected',
  },
  EB: { text: 'the encoder is busy', fault: 'encoder-busy' },
  ED: { text: 'no card was inserted in time', fault: 'no-card', ofCard: true },
  EE: { text: 'the lock system cancelled the request', fault: 'lock-system-rejected', ofCard: true },
  EF: { text: 'the card is foreign or damaged', fault: 'card-incompatible', ofCard: true },
  EG: { text: 'a general error', fault: 'vendor-error' },
  EN: { text: 'the operator lacks the permission', fault: 'lock-system-rejected' },
  EO: { text: 'the room is being worked on at another station', fault: 'lock-system-retry' },
  EP: { text: 'there is no card, or it is inserted the wrong way', fault: 'no-card', ofCard: true },
  ES: { text: 'the request is not understood', fault: 'lock-system-rejected' },
  ET: { text: 'the card is jammed', fault: 'dispenser-jam', ofCard: true, unclear: true },
  EZ: { text: 'encoder zero is not supported', fault: 'unsupported-operation' },
  NC: { text: 'the encoder does not answer the lock system', fault: 'encoder-offline' },
  NF: { text: 'the lock system cannot find its database', fault: 'lock-system-rejected' },
  OS: { text: 'the room is out of service', fault: 'lock-system-rejected' },
  OV: { text: 'the encoder has not finished its previous task', fault: 'encoder-busy' },
  PE: { text: 'the operator or the password is wrong', fault: 'lock-system-auth-failed' },
  TD: { text: 'the room is not known', fault: 'unit-unknown' },
}

/** Two letters that are the answer to no command in use. */
export function isRefusal(name: string): boolean {
  return /^[A-Z]{2}$/.test(name) && !['CN', 'CC', 'CA', 'CO', 'LT', 'EX'].includes(name)
}

/** Whether an answer begins like one to this command. Some lock systems leave the number out, or echo CN for CC. */
export function answers(command: EncoderCommandName, name: string): boolean {
  if (name === command) return true
  const [letters, digit] = [command.slice(0, 2), command.slice(2)]
  if (digit === '') return false
  return name === letters || (letters === 'CC' && (name === `CN${digit}` || name === 'CN'))
}
