import { type CardEncoder, writingOperations } from '../../devices/capability.ts'

/**
 * Returns the encoder with a hook before each write. Every write first calls `touched` and waits for it. When `touched`
 * rejects, the write is not sent and the card keeps its content.
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
    const operation = device[name] as (...parameters: unknown[]) => unknown
    announcing[name] = (async (...parameters: unknown[]) => {
      await touched()
      return operation(...parameters)
    }) as Device[typeof name]
  }
  return announcing
}
