import { en, type TodayTexts } from './en.ts'
export const es: TodayTexts = en
