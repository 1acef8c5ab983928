const blockBytes = 1_000_000

/** A megabyte of texts, one after the other. */
interface Block {
  bytes: Buffer
  used: number
  keys: number[]
}

interface Kept {
  revision: number
  block: Block
  start: number
  end: number
}

/**
 * Caches texts by number, at most `mostBytes`. The block that was begun first is emptied for new texts. The texts lie outside
 * the heap of JavaScript: inside it, each text that is dropped after a while is left to the collector of the whole heap, which
 * lets the heap grow to four times what lives in it.
 */
export function textCache(mostBytes: number) {
  const kept = new Map<number, Kept>()
  const blocks: Block[] = []

  /** Returns the text if it was kept with this revision. */
  function get(key: number, revision: number): string | undefined {
    const found = kept.get(key)
    return found?.revision === revision
      ? found.block.bytes.toString('utf8', found.start, found.end)
      : undefined
  }

  function set(key: number, revision: number, text: string): void {
    const most = text.length * 3
    if (most > blockBytes) return
    const block = blockFor(most)
    const start = block.used
    block.used += block.bytes.write(text, start)
    block.keys.push(key)
    kept.set(key, { revision, block, start, end: block.used })
  }

  function blockFor(bytes: number): Block {
    const last = blocks.at(-1)
    if (last && last.used + bytes <= blockBytes) return last
    const isFull = (blocks.length + 1) * blockBytes > mostBytes
    const block = { bytes: isFull ? emptied() : Buffer.allocUnsafeSlow(blockBytes), used: 0, keys: [] }
    blocks.push(block)
    return block
  }

  function emptied(): Buffer {
    const oldest = blocks.shift()!
    for (const key of oldest.keys) if (kept.get(key)?.block === oldest) kept.delete(key)
    return oldest.bytes
  }

  return { get, set }
}
