import { playOnline } from '../../access/faults-online-played.ts'

playOnline('industry-standard', {
  desk: [
    ['ENQ', 1, 'lock-system-unreachable failed', '-', '-', 'lock-system-unreachable failed', '200 live'],
    [
      'CN',
      1,
      'lock-system-timeout? unknown',
      'lock-system-timeout? unknown',
      'lock-system-timeout? unknown',
      'lock-system-timeout? unknown',
      'unit-unknown failed',
    ],
  ],
  dispenser: [
    [
      'CN',
      1,
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'lock-system-timeout? blocked bin',
      'unit-unknown failed bin',
    ],
    [
      'LT',
      1,
      'encoder-timeout? blocked bin',
      'encoder-timeout? blocked bin',
      'encoder-timeout? blocked bin',
      'lock-system-unreachable? blocked bin',
      'vendor-error? blocked bin',
    ],
  ],
})
