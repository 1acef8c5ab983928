import { driver } from '../../src/devices/driver.ts'
import { crt571 } from './device.ts'
import { mask } from './mask.ts'

export default driver({
  name: 'crt571',
  models: ['crt591', 'qu-tk-f3', 'hb-hdn'],
  vendor: 'CREATOR',
  capability: 'dispenser',
  // The probe initialises the machine, which turns the feed motor a little to settle the stack.
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'motor' },
  serial: { baudRates: [9_600, 115_200, 38_400, 19_200, 57_600] },
  options: {
    type: 'object',
    additionalProperties: false,
    properties: {
      address: { type: 'integer', minimum: 0, maximum: 15, default: 0 },
      contacts: { type: 'boolean', default: false },
      countsCaptures: { type: 'boolean', default: false },
    },
  },
  mask,
  open: crt571,
})
