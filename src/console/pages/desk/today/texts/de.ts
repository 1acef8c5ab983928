import { en, type TodayTexts } from './en.ts'
export const de: TodayTexts = en
