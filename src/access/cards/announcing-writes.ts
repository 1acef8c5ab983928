import { type CardEncoder, writingOperations } from '../../devices/capability.ts'

/**
 * The encoder, telling when a write is about to leave, and holding it back until that has been heard: until then the card is
 * as it was, and stays so where `touched` rejects.
 */
export function announcingWrites(encoder: CardEncoder, touched: () => Promise<void>): CardEncoder {
  const { desfire } = encoder
  return {
    ...announced(encoder, writingOperations.encoder, touched),
    ...(desfire && { desfire: announced(desfire, writingOperations.desfire, touched) }),
  }
}

function announced<Device extends object>(
  device: Device,
  operations: readonly (keyof Device)[],
  touched: () => Promise<void>,
): Device {
  const announcing = { ...device }
  for (const name of operations) {
    const operation = device[name] as (...given: unknown[]) => unknown
    announcing[name] = (async (...given: unknown[]) => {
      await touched()
      return operation(...given)
    }) as Device[typeof name]
  }
  return announcing
}
