import type { Direction, WireMask } from '../../src/devices/mask.ts'
import { stream } from './framing.ts'

const colon = 0x3a
const star = 0x2a

/** One direction of a wire, a byte at a time. */
interface Masked {
  isIn: 'nothing' | 'message' | 'lrc'
  /** A colon stood in the present field: what follows may be a password. */
  hides: boolean
  /** XOR of what was there and what is kept, so that a right check stays right. */
  changed: number
}

/**
 * Hides what stands behind a colon in any field, which is where the password of an operator is, and all that belongs to
 * no message.
 */
export function wireMask(): WireMask {
  const states: Record<Direction, Masked> = { out: nothing(), in: nothing() }
  return (direction, bytes) => {
    const state = states[direction]
    return bytes.map((byte) => kept(byte, state))
  }
}

function nothing(): Masked {
  return { isIn: 'nothing', hides: false, changed: 0 }
}

function kept(byte: number, state: Masked): number {
  if (state.isIn === 'lrc') {
    const { changed } = state
    Object.assign(state, nothing())
    return byte === stream.uncheckedLrc ? byte : byte ^ changed
  }
  if (byte === stream.stx) {
    Object.assign(state, nothing(), { isIn: 'message' })
    return byte
  }
  if (state.isIn === 'nothing') return byte < stream.firstText ? byte : star
  if (byte === stream.etx) state.isIn = 'lrc'
  if (byte < stream.firstText) return byte
  if (byte === stream.separator) {
    state.hides = false
    return byte
  }
  const shown = state.hides ? star : byte
  if (byte === colon) state.hides = true
  state.changed ^= byte ^ shown
  return shown
}
