import type { FaultCode } from '../../src/devices/fault.ts'

/**
 * The error characters e1 e0 of a negative reply. 43 means that a card in the path cannot reach its position, so it
 * counts as a jam and not as a motor fault; 50 means that the bin is full by the machine's own count.
 */
const errors: Record<string, FaultCode> = {
  '00': 'unsupported-operation', // command unknown
  '01': 'unsupported-operation', // parameter wrong
  '02': 'dispenser-reset-required', // not allowed in this sequence
  '03': 'unsupported-operation', // not supported by the hardware
  '04': 'vendor-error', // the packet came damaged
  '05': 'vendor-error', // contacts not released
  '10': 'dispenser-jam',
  '12': 'dispenser-jam', // sensor fault
  '13': 'dispenser-jam', // card too long
  '14': 'dispenser-jam', // card too short
  '16': 'dispenser-jam', // card moved out of position
  '40': 'dispenser-jam', // card pulled while being captured
  '41': 'dispenser-motor', // contact solenoid
  '43': 'dispenser-jam', // card cannot reach the contact position
  '45': 'dispenser-jam', // card moved by hand
  '50': 'dispenser-bin-full', // retract counter overflow
  '51': 'dispenser-motor',
  '60': 'vendor-error', // 60 to 69 belong to card commands
  '61': 'vendor-error',
  '62': 'vendor-error',
  '63': 'vendor-error',
  '64': 'vendor-error',
  '65': 'vendor-error',
  '66': 'vendor-error',
  '67': 'vendor-error',
  '68': 'vendor-error',
  '69': 'vendor-error',
  A0: 'dispenser-empty',
  A1: 'dispenser-bin-full',
  B0: 'dispenser-reset-required', // not initialised since power-on
}

/** The machine reports a damaged command: the command was not executed and may be sent again. */
export const damagedPacket = '04'

/**
 * The fault for the two error characters; `vendor-error` for an unknown pair. One firmware was seen to send the pair in
 * reverse, so an unknown pair is also tried in reverse.
 */
export function faultOf(code: string): FaultCode {
  return errors[known(code)] ?? 'vendor-error'
}

/** The pair in the documented order, when it is a documented pair. */
export function known(code: string): string {
  const turned = [...code].reverse().join('')
  return !(code in errors) && turned in errors ? turned : code
}

/** There is no card, or none that answers: not found, not activated, an error or silence on the air. */
export const cardIsSilent: readonly string[] = ['61', '63', '64', '65', '67', '68']

/** The card is of a type that the reader, or this command, does not support. */
const cardIsStrange: readonly string[] = ['62', '66', '69']

/** The fault of a command for the antenna. A condition that stops the machine is not a fault of the card. */
export function antennaFaultOf(code: string): FaultCode {
  if (cardIsStrange.includes(known(code))) return 'card-incompatible'
  const word = faultOf(code)
  return word === 'unsupported-operation' || word === 'dispenser-reset-required' ? word : 'vendor-error'
}
