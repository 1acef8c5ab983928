import type { Direction, WireMask } from '../../src/devices/mask.ts'
import { etx, stx } from './framing.ts'

/**
 * Fields whose values may be kept: numbers, dates, states, and the serial number that other readers of the card see as
 * well. Whatever else a field holds may be a name, or what is written to a card.
 */
const shown = new Set([
  ...['KC', 'KT', 'RN', 'RO', 'WS', 'G#', 'GA', 'GD', 'DT', 'SI', 'KO', 'K#', '$2', 'AS', 'CT'],
  ...['DA', 'TI', 'V#', 'IF', 'RT', 'RI', 'FL', 'A0'],
])
const bar = 0x7c
const star = 0x2a
const firstText = 0x20

/** One direction of a wire, a byte at a time. */
interface Masked {
  at: 'outside' | 'record' | 'check'
  /** The name of the record or of the present field, as far as it has come. */
  name: string
  /** The check byte that the record has, and what hiding has changed of it. */
  sum: number
  changed: number
}

/** Hides what no field of the list holds, and all text that belongs to no record. A check byte that was right stays right. */
export function wireMask(): WireMask {
  const states: Record<Direction, Masked> = { out: outside(), in: outside() }
  return (direction, bytes) => {
    const state = states[direction]
    return bytes.map((byte) => kept(byte, state))
  }
}

function outside(): Masked {
  return { at: 'outside', name: '', sum: 0, changed: 0 }
}

function kept(byte: number, state: Masked): number {
  // A check byte that looks like STX begins a record here, which the next STX begins again: nothing is lost by it.
  if (byte === stx) {
    Object.assign(state, outside(), { at: 'record' })
    return byte
  }
  if (state.at === 'record') return inRecord(byte, state)
  const { at, sum, changed } = state
  Object.assign(state, outside())
  if (at === 'check' && byte === sum) return byte ^ changed
  return byte < firstText ? byte : star
}

function inRecord(byte: number, state: Masked): number {
  state.sum ^= byte
  if (byte === etx) state.at = 'check'
  if (byte === bar) state.name = ''
  if (byte === etx || byte === bar) return byte
  if (state.name.length < 2) {
    state.name += String.fromCharCode(byte)
    return byte
  }
  if (shown.has(state.name)) return byte
  state.changed ^= byte ^ star
  return star
}
