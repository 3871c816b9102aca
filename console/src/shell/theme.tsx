/** Light, dark, or as the system is: the person's choice, kept in this browser. */
import { type ReactNode, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';

const KEY = 'handrail-theme';
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Shows the page as it was chosen before. */
export function applyTheme(theme: Theme = keptTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Goes through the three. */
export function ThemeButton(): ReactNode {
  const [theme, setTheme] = useState(keptTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  const choose = (): void => {
    localStorage.setItem(KEY, next);
    applyTheme(next);
    setTheme(next);
  };
  return (
    <Button kind="quiet" onClick={choose} aria-label={`Theme: ${theme}. Change to ${next}`}>
      <Icon name="theme" />
      <span>{theme}</span>
    </Button>
  );
}

function keptTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === kept) ?? 'system';
}
