import { adapterContract } from '../../adapter-contract.ts'
import { mqttBench } from './mqtt-bench.ts'

adapterContract('cloudevents over MQTT', () => mqttBench(), { push: true, follow: true })
