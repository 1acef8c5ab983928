import { driver } from '../../src/devices/driver.ts'
import { twn4 } from './device.ts'
import { mask } from './mask.ts'

export default driver({
  name: 'twn4',
  models: [],
  vendor: 'Elatec',
  capability: 'encoder',
  provenance: { known: 'vendor-manual', proven: ['simulator'], probing: 'radio' },
  cardFormats: ['Mifare1K', 'Mifare4K', 'MifareUltralight', 'UltralightC', 'Desfire'],
  // 9600 is the factory setting of models with a serial line; over USB the setting is without effect.
  serial: { baudRates: [9_600, 115_200], usb: { vendorId: '09D8', productId: '0420' } },
  options: {
    type: 'object',
    properties: {
      crc: {
        type: 'boolean',
        default: false,
        description: 'Whether the firmware was built to close every line with a CRC.',
      },
      binary: {
        type: 'boolean',
        default: false,
        description: 'Whether the firmware was built to send bytes as they are, not as hex digits.',
      },
    },
    additionalProperties: false,
  },
  mask,
  open: twn4,
})
