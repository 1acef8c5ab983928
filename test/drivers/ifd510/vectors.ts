/** What the vendor's manual and captures show, with the code and data that stand in it. */
type Vector = readonly [what: string, bytes: string, code: number, data: readonly number[]]

export const times = (count: number, byte: number) => Buffer.alloc(count, byte)
const hex = (text: string) => [...Buffer.from(text.replaceAll(' ', ''), 'hex')]
const repeated = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ')

const ff6 = repeated(6, 'FF')

/** On a serial line, where both directions have the same ends. */
export const lines: readonly Vector[] = [
  ['request', '02 00 02 03 26 27 03', 0x03, [0x26]],
  ['answer to a request', '02 00 03 00 04 00 07 03', 0x00, [0x04, 0x00]],
  ['answer to anticollision', '02 00 06 00 00 06 61 62 AE AD 03', 0x00, hex('00 06 61 62 AE')],
  ['serial number, whose check byte is 0', '02 00 03 25 26 00 00 03', 0x25, [0x26, 0x00]],
  ['serial number from reader 2', '02 02 06 00 01 16 0F F4 7F 97 03', 0x00, hex('01 16 0F F4 7F')],
  ['read block 10h', `02 00 0A 20 01 01 10 ${ff6} 3A 03`, 0x20, hex(`01 01 10 ${ff6}`)],
  [
    'block 10h',
    `02 00 15 00 06 61 62 AE ${repeated(16, 'FF')} BE 03`,
    0x00,
    hex(`06 61 62 AE ${repeated(16, 'FF')}`),
  ],
  ['read 4 blocks', `02 00 0A 20 01 04 10 ${ff6} 3F 03`, 0x20, hex(`01 04 10 ${ff6}`)],
  [
    '4 blocks, the last a trailer',
    `02 00 45 00 16 0F F4 7F ${repeated(54, '00')} FF 07 80 69 ${ff6} C6 03`,
    0x00,
    hex(`16 0F F4 7F ${repeated(54, '00')} FF 07 80 69 ${ff6}`),
  ],
  ['increase a value', `02 00 0D 24 01 04 ${ff6} 01 00 00 00 2D 03`, 0x24, hex(`01 04 ${ff6} 01 00 00 00`)],
  ['decrease a value', `02 00 0D 23 01 04 ${ff6} 01 00 00 00 2A 03`, 0x23, hex(`01 04 ${ff6} 01 00 00 00`)],
  ['a new value', '02 00 09 00 16 0F F4 7F 63 00 00 00 F8 03', 0x00, hex('16 0F F4 7F 63 00 00 00')],
  [
    'write block 10h',
    `02 00 1A 21 01 01 10 ${ff6} ${repeated(14, 'FF')} 11 11 2B 03`,
    0x21,
    hex(`01 01 10 ${ff6} ${repeated(14, 'FF')} 11 11`),
  ],
  ['written', '02 00 05 00 CE 86 AE 67 84 03', 0x00, hex('CE 86 AE 67')],
  ['set up a value', `02 00 0D 22 01 04 ${ff6} 64 00 00 00 4E 03`, 0x22, hex(`01 04 ${ff6} 64 00 00 00`)],
  ['beep', '02 00 03 89 18 0A 98 03', 0x89, [0x18, 0x0a]],
  ['done', '02 00 02 00 80 82 03', 0x00, [0x80]],
  ['no card', '02 00 02 01 83 80 03', 0x01, [0x83]],
  ['key refused', '02 00 02 01 8C 8F 03', 0x01, [0x8c]],
  ['version', '02 00 01 86 87 03', 0x86, []],
  ['serial number of the reader', '02 00 01 83 82 03', 0x83, []],
  ['set the address', '02 00 02 80 02 80 03', 0x80, [0x02]],
]

const counting = '00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F'

/** As reports: what leads them, the rest being zeros to 256. */
export const hidReports: readonly Vector[] = [
  ['serial number', '01 00 00 00 00 00 08 00 AA 00 03 25 26 00 00 BB', 0x25, [0x26, 0x00]],
  ['read block 4', `01 00 00 00 00 00 0F 00 AA 00 0A 20 00 01 04 ${ff6} 2F BB`, 0x20, hex(`00 01 04 ${ff6}`)],
  [
    'write block 4',
    `01 00 00 00 00 00 1F 00 AA 00 1A 21 00 01 04 ${ff6} ${counting} 3E BB`,
    0x21,
    hex(`00 01 04 ${ff6} ${counting}`),
  ],
  ['beep', '01 00 00 00 00 00 08 00 AA 00 03 89 09 01 82 BB', 0x89, [0x09, 0x01]],
  [
    'write page 4',
    '01 00 00 00 00 00 0D 00 AA 00 08 E1 00 01 04 48 4B 01 00 EE BB',
    0xe1,
    hex('00 01 04 48 4B 01 00'),
  ],
  [
    'answer with a serial number',
    '03 00 00 00 00 00 00 00 02 00 06 00 00 66 CF 4D C2 20 03',
    0x00,
    hex('00 66 CF 4D C2'),
  ],
  [
    'answer captured from a model for 125 kHz',
    '03 00 00 00 00 00 00 00 02 00 06 00 4D 49 96 02 D2 44 03',
    0x00,
    hex('4D 49 96 02 D2'),
  ],
]
