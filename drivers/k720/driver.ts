import { driver } from '../../src/devices/driver.ts'
import { k720 } from './device.ts'
import { mask } from './mask.ts'

const sensor = { type: 'integer', minimum: 0, maximum: 7 }

export default driver({
  name: 'k720',
  models: ['k730', 'k750'],
  vendor: 'TTCE',
  capability: 'dispenser',
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'nothing' },
  serial: { baudRates: [9_600, 38_400, 19_200] },
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      address: { type: 'integer', minimum: 0, maximum: 15, default: 0 },
      sensors: {
        type: 'object',
        additionalProperties: false,
        properties: { mask: sensor, encoder: sensor, gate: sensor, ready: sensor },
      },
    },
  },
  mask,
  open: k720,
})
