import type { Direction, WireMask } from '../mask.ts'
import { etx, lowestText, stx } from './stx-messages.ts'

interface MessageMask {
  /** Stands between two fields of a text. */
  separator: number
  /** Whether the next byte of a field is hidden, by what the field has so far. Once hidden, the rest of it is. */
  hides(field: string): boolean
  /** Whether a check byte follows every message; otherwise one is known by its value. */
  hasCheck: boolean
  unchecked?: number
}

const star = 0x2a
/** A field of so many bytes is none. */
const longestField = 2_000

/** One direction of a wire, a byte at a time. */
interface Masked {
  at: 'outside' | 'text' | 'check'
  /** What the present field has so far. */
  field: string
  isHidden: boolean
  /** The check byte that the message has, and what hiding has changed of it. */
  sum: number
  changed: number
}

const outside: Masked = { at: 'outside', field: '', isHidden: false, sum: 0, changed: 0 }

/**
 * What may be kept of messages between STX and ETX: what a field hides is stars, and so is all text that belongs to no message.
 * A check byte that was right stays right.
 */
export function messageMask(format: MessageMask): WireMask {
  const states: Record<Direction, Masked> = { out: { ...outside }, in: { ...outside } }
  return (direction, bytes) => bytes.map((byte) => kept(byte, states[direction], format))
}

function kept(byte: number, state: Masked, format: MessageMask): number {
  const { at, sum, changed } = state
  const isCheck = at === 'check' && (format.hasCheck || (byte !== stx && byte === sum))
  if (isCheck) {
    Object.assign(state, outside)
    return byte === format.unchecked ? byte : byte ^ changed
  }
  // Where no check byte is for certain, one that looks like STX begins a message, which the next STX begins again.
  if (byte === stx) Object.assign(state, outside, { at: 'text' })
  else if (at === 'text') return inText(byte, state, format)
  else Object.assign(state, outside)
  return byte < lowestText ? byte : star
}

function inText(byte: number, state: Masked, { separator, hides }: MessageMask): number {
  state.sum ^= byte
  if (byte === etx) state.at = 'check'
  if (byte === separator) {
    Object.assign(state, { field: '', isHidden: false })
    return byte
  }
  state.isHidden ||= hides(state.field) || state.field.length >= longestField
  // What breaks a message goes on breaking it.
  if (state.isHidden && byte >= lowestText) {
    state.changed ^= byte ^ star
    return star
  }
  if (!state.isHidden) state.field += String.fromCharCode(byte)
  return byte
}
