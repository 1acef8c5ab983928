/** Fields of GI for tests; G# and RN as they are given. */
export function guestOf(number: string, room: string, more: Record<string, string> = {}) {
  return {
    'G#': number,
    RN: room,
    GS: 'N',
    GN: 'Müller',
    GF: 'Inês',
    GL: 'GE',
    GA: '260601',
    GD: '260603',
    ...more,
  }
}
