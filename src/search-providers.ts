/** The search engines that can be asked, by the names that settings know them by. */

export const SEARCH_PROVIDERS = ['duckduckgo', 'searxng', 'brave', 'tavily'] as const;
export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

/** One that is asked, in the order of the settings. */
export interface SearchProvider {
  readonly provider: SearchProviderName;
  /** In place of its own address. */
  readonly endpoint?: string | undefined;
  /** The variable of the environment that holds its key. */
  readonly keyVariable?: string | undefined;
}
