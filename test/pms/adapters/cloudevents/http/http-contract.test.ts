import { adapterContract } from '../../adapter-contract.ts'
import { httpBench } from './http-bench.ts'

adapterContract('cloudevents over HTTP', httpBench, { push: true, follow: false })
