/** From 1 MiB on, glibc takes memory from the system for each piece, and gives it back alone. */
const blockBytes = 2 ** 20

/** A block of texts, one after the other. */
interface Block {
  bytes: Buffer<ArrayBuffer>
  used: number
  keys: number[]
  /** Whether one of the texts was read or cached since `dropUnread` looked last. */
  isInUse: boolean
}

interface Kept {
  revision: number
  block: Block
  start: number
  end: number
}

/**
 * Caches texts by number, at most `mostBytes`. The block that was begun first is emptied for new texts, and blocks that are not
 * in use can be dropped. The texts lie outside the heap of JavaScript: inside it, each text that is dropped after a while is left
 * to the collector of the whole heap, which lets the heap grow to four times what lives in it.
 */
export function textCache(mostBytes: number) {
  const kept = new Map<number, Kept>()
  const blocks: Block[] = []

  /** Returns the text if it was kept with this revision. */
  function get(key: number, revision: number): string | undefined {
    const found = kept.get(key)
    if (found?.revision !== revision) return undefined
    found.block.isInUse = true
    return found.block.bytes.toString('utf8', found.start, found.end)
  }

  function set(key: number, revision: number, text: string): void {
    const most = text.length * 3
    if (most > blockBytes) return
    const block = blockFor(most)
    block.isInUse = true
    const start = block.used
    block.used += block.bytes.write(text, start)
    block.keys.push(key)
    kept.set(key, { revision, block, start, end: block.used })
  }

  function blockFor(needed: number): Block {
    const last = blocks.at(-1)
    if (last && last.used + needed <= blockBytes) return last
    const isFull = (blocks.length + 1) * blockBytes > mostBytes
    const bytes = isFull ? emptied(blocks.shift()!) : Buffer.allocUnsafeSlow(blockBytes)
    const block = { bytes, used: 0, keys: [], isInUse: true }
    blocks.push(block)
    return block
  }

  function emptied(block: Block): Buffer<ArrayBuffer> {
    for (const key of block.keys) if (kept.get(key)?.block === block) kept.delete(key)
    return block.bytes
  }

  /** Drops the blocks that were not in use since it was called last. Returns whether any is left. */
  function dropUnread(): boolean {
    for (const block of blocks.filter(({ isInUse }) => !isInUse)) {
      blocks.splice(blocks.indexOf(block), 1)
      // Gives the memory back at once; the collector would not come before there is work again.
      emptied(block).buffer.transfer(0)
    }
    for (const block of blocks) block.isInUse = false
    return blocks.length > 0
  }

  return { get, set, dropUnread }
}
