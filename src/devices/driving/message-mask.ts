import type { Direction, WireMask } from '../mask.ts'
import { etx, lowestText, stx } from './stx-messages.ts'

interface MessageMask {
  /** The byte between two fields of a text. */
  separator: number
  /**
   * Whether the next byte of a field is hidden, given the field so far. Once a byte is hidden, the rest of the field is
   * hidden too.
   */
  hides(field: string, at: FieldPlace): boolean
  /** Whether a check byte follows every message. If not, a check byte is recognised by its value. */
  hasCheck: boolean
  unchecked?: number
}

/** Where a field stands. */
export interface FieldPlace {
  /** The first field of the message; empty while it is received. */
  name: string
  /** Counts from 0. A separator before the first field does not count. */
  index: number
  direction: Direction
}

const star = 0x2a
/** A longer run of bytes is not a field. */
const longestField = 2_000

/** The state of one direction of a wire, which is masked byte by byte. */
interface Masked extends FieldPlace {
  at: 'outside' | 'text' | 'check'
  /** The bytes of the current field so far. */
  field: string
  isHidden: boolean
  /** The XOR of the message as received, and the difference that masking makes to it. */
  sum: number
  changed: number
}

const outside: Omit<Masked, 'direction'> = {
  at: 'outside',
  field: '',
  name: '',
  index: 0,
  isHidden: false,
  sum: 0,
  changed: 0,
}

/**
 * A mask for messages between STX and ETX. Hidden bytes of a field become stars, and so does all text outside a message.
 * A correct check byte stays correct.
 */
export function messageMask(format: MessageMask): WireMask {
  const stateOf = (direction: Direction): Masked => ({ ...outside, direction })
  const states = { out: stateOf('out'), in: stateOf('in') }
  return (direction, bytes) => bytes.map((byte) => kept(byte, states[direction], format))
}

function kept(byte: number, state: Masked, format: MessageMask): number {
  const { at, sum, changed } = state
  const isCheck = at === 'check' && (format.hasCheck || (byte !== stx && byte === sum))
  if (isCheck) {
    Object.assign(state, outside)
    return byte === format.unchecked ? byte : byte ^ changed
  }
  // Where a check byte is optional, a check byte that equals STX looks like the beginning of a message. The next STX
  // begins the message again.
  if (byte === stx) Object.assign(state, outside, { at: 'text' })
  else if (at === 'text') return inText(byte, state, format)
  else Object.assign(state, outside)
  return byte < lowestText ? byte : star
}

function inText(byte: number, state: Masked, { separator, hides }: MessageMask): number {
  const { name, index } = state
  state.sum ^= byte
  if (byte === etx) state.at = 'check'
  if (byte === separator) {
    const isLeading = index === 0 && state.field === ''
    const next = isLeading ? {} : { index: index + 1, name: index === 0 ? state.field : name }
    Object.assign(state, { field: '', isHidden: false, ...next })
    return byte
  }
  state.isHidden ||= hides(state.field, state) || state.field.length >= longestField
  // All text after the byte that breaks a message is hidden as well.
  if (state.isHidden && byte >= lowestText) {
    state.changed ^= byte ^ star
    return star
  }
  if (!state.isHidden) state.field += String.fromCharCode(byte)
  return byte
}
