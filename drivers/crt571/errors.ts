import type { FaultCode } from '../../src/devices/fault.ts'

/**
 * The error characters e1 e0 of a negative reply. 43 is a card that stands in the path and cannot reach its place, so
 * it counts as a jam and not as a motor fault; 50 is the bin full by the machine's own count.
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

/** The machine says the command came damaged: it was not carried out and may be sent again. */
export const damagedPacket = '04'

/**
 * The fault for the two error characters; `vendor-error` for any that are not known. One firmware was seen to send
 * the pair the wrong way round, so a pair that is not known is also tried reversed.
 */
export function faultOf(code: string): FaultCode {
  return errors[known(code)] ?? 'vendor-error'
}

/** The pair as the documents write it, where it is one of theirs. */
export function known(code: string): string {
  const turned = [...code].reverse().join('')
  return !(code in errors) && turned in errors ? turned : code
}

/** No card, or one that gives no answer: not found, not activated, an error or silence in the air. */
export const cardIsSilent: readonly string[] = ['61', '63', '64', '65', '67', '68']

/** The card is of a sort that the reader, or this command, is not for. */
const cardIsStrange: readonly string[] = ['62', '66', '69']

/** The fault of a command for the antenna: what stops the machine is no fault of a card. */
export function antennaFaultOf(code: string): FaultCode {
  if (cardIsStrange.includes(known(code))) return 'card-incompatible'
  const word = faultOf(code)
  return word === 'unsupported-operation' || word === 'dispenser-reset-required' ? word : 'vendor-error'
}
