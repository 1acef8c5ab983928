import type { TerminalDriver } from '../../src/devices/payment-terminal.ts'
import { paylineTerminal } from './terminal.ts'

const payline: TerminalDriver = {
  name: 'json-line',
  vendor: 'nightporter',
  provenance: { known: 'own-design', proven: ['simulator'], probing: 'nothing' },
  open: paylineTerminal,
}

export default payline
