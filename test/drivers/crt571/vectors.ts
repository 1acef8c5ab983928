/** Frames as the protocol's documents give them, address 0. */
export const commandFrames = {
  'initialise-hold': 'F2 00 00 03 43 30 30 03 B1',
  'initialise-capture': 'F2 00 00 03 43 30 31 03 B0',
  'initialise-leave': 'F2 00 00 03 43 30 33 03 B2',
  status: 'F2 00 00 03 43 31 30 03 B0',
  'move-front': 'F2 00 00 03 43 32 30 03 B3',
  'move-chip': 'F2 00 00 03 43 32 31 03 B2',
  'move-encoder': 'F2 00 00 03 43 32 32 03 B1',
  'move-capture': 'F2 00 00 03 43 32 33 03 B0',
  'move-eject': 'F2 00 00 03 43 32 39 03 BA',
  'entry-on': 'F2 00 00 03 43 33 30 03 B2',
  'entry-off': 'F2 00 00 03 43 33 31 03 B3',
  serial: 'F2 00 00 03 43 A2 30 03 23',
  version: 'F2 00 00 03 43 A4 30 03 25',
  configuration: 'F2 00 00 03 43 A3 30 03 22',
} as const

/** What a machine that counts its captures is told, and what it is asked on demand. */
export const serviceFrames = {
  'initialise-hold-counting': 'F2 00 00 03 43 30 34 03 B5',
  'initialise-capture-counting': 'F2 00 00 03 43 30 35 03 B4',
  'initialise-leave-counting': 'F2 00 00 03 43 30 37 03 B6',
  sensors: 'F2 00 00 03 43 31 31 03 B1',
  firmware: 'F2 00 00 03 43 DC 31 03 5C',
  'bin-count': 'F2 00 00 03 43 A5 30 03 24',
  'bin-count-set 000': 'F2 00 00 06 43 A5 31 30 30 30 03 10',
} as const

export const antennaFrames = {
  'rf-activate': 'F2 00 00 05 43 60 30 41 30 03 96',
  'rf-off': 'F2 00 00 03 43 60 31 03 E0',
  'rf-status': 'F2 00 00 03 43 60 32 03 E3',
  'rf-login A 1': 'F2 00 00 0E 43 60 33 00 20 00 01 06 FF FF FF FF FF FF 03 C8',
  'rf-login B 1': 'F2 00 00 0E 43 60 33 00 20 01 01 06 FF FF FF FF FF FF 03 C9',
  'rf-login A 0': 'F2 00 00 0E 43 60 33 00 20 00 00 06 FF FF FF FF FF FF 03 C9',
  'rf-read 4': 'F2 00 00 08 43 60 33 00 B0 01 00 01 03 59',
  'rf-write 4': 'F2 00 00 18 43 60 33 00 D1 01 00 01 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 03 28',
} as const

export const lightFrame = 'F2 00 00 04 43 31 60 40 03 A7'

export const hbHdnFrames = {
  'move-encoder': 'F2 00 00 03 43 32 34 03 B7',
  'move-capture': 'F2 00 00 03 43 32 39 03 BA',
  'entry-on': 'F2 00 00 03 43 33 32 03 B0',
  'entry-off': 'F2 00 00 03 43 33 30 03 B2',
} as const

/** Commands the driver does not send; they still have to come through the framing. */
export const otherFrames = [
  'F2 00 00 03 43 32 61 03 E2',
  'F2 00 00 03 43 32 62 03 E1',
  'F2 00 00 03 43 32 63 03 E0',
  'F2 00 00 03 43 32 64 03 E7',
  'F2 00 00 03 43 32 72 03 F1',
  'F2 00 00 04 43 32 72 32 03 C4',
  'F2 00 00 03 43 36 37 03 B0',
  'F2 00 00 03 43 50 30 03 D1',
  'F2 00 00 03 43 50 31 03 D0',
  'F2 00 00 05 43 60 30 41 42 03 E4',
  'F2 0F 00 04 43 FF 30 01 03 77',
]

export const replyFrames = {
  initialised: 'F2 00 00 12 50 30 33 30 32 30 43 52 54 2D 35 39 31 2D 4D 30 30 31 03 86',
  'status 020': 'F2 00 00 06 50 31 30 30 32 30 03 94',
  'status 220': 'F2 00 00 06 50 31 30 32 32 30 03 96',
  'status 110': 'F2 00 00 06 50 31 30 31 31 30 03 96',
  sensors: 'F2 00 00 10 50 31 31 32 32 30 30 31 30 30 30 30 30 30 30 30 03 80',
  'at the encoder': 'F2 00 00 06 50 32 32 32 32 30 03 97',
  'at the gate': 'F2 00 00 06 50 32 30 31 32 30 03 96',
  ejected: 'F2 00 00 06 50 32 39 30 32 30 03 9E',
  empty: 'F2 00 00 05 4E 32 32 41 30 03 CB',
  jam: 'F2 00 00 05 4E 32 32 31 30 03 BB',
  'bin full': 'F2 00 00 05 4E 32 33 41 31 03 CB',
  'not initialised': 'F2 00 00 05 4E 31 30 42 30 03 C9',
  'card found': 'F2 00 00 0F 50 60 30 32 32 30 4D 00 04 04 04 A1 B2 C3 08 03 5F',
  'key taken': 'F2 00 00 08 50 60 33 32 32 30 90 00 03 5A',
  'key refused': 'F2 00 00 08 50 60 33 32 32 30 6F 00 03 A5',
  'block read': 'F2 00 00 18 50 60 33 32 32 30 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 90 00 03 4A',
  'bin counter': 'F2 00 00 09 50 A5 30 30 32 30 30 30 33 03 3C',
  serial: 'F2 00 00 0F 50 A2 30 30 32 30 08 35 39 31 30 30 30 34 32 03 0D',
} as const

/** Every frame above. */
export const allFrames: readonly string[] = [
  ...Object.values(commandFrames),
  ...Object.values(hbHdnFrames),
  ...Object.values(serviceFrames),
  ...Object.values(antennaFrames),
  lightFrame,
  ...otherFrames,
  ...Object.values(replyFrames),
]

/** The bytes of a line of hexadecimal. */
export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
}
