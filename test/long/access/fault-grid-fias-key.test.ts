import { playOnline } from '../../access/faults-online-played.ts'

playOnline('fias-key', {
  desk: [
    [
      'KR',
      1,
      'lock-system-timeout? unknown',
      'lock-system-timeout? unknown',
      'lock-system-timeout? unknown',
      'lock-system-timeout? unknown',
      'lock-system-rejected failed',
    ],
  ],
  dispenser: [
    [
      'KR',
      1,
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-rejected failed bin',
    ],
    [
      'KZ',
      1,
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-rejected? blocked bin',
    ],
  ],
})
