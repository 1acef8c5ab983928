import { readFileSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/** In place of the thread that checks a database: finds what a test has written into the file, one after the other. */
const { path } = workerData as { path: string }
const [found, ...further] = JSON.parse(readFileSync(path, 'utf8')) as unknown[]
writeFileSync(path, JSON.stringify(further))
parentPort!.postMessage(found)
