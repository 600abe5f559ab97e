package strict

import "strings"

// Nearest returns the word a misspelled one most likely stands for, or nothing
// when no word is near.
func Nearest(misspelled string, words []string) string {
	if len(misspelled) > maxShown {
		return ""
	}
	best, least := "", maxShown
	for _, word := range words {
		near := max(1, len(misspelled)/3, len(word)/3)
		if d := Distance(strings.ToLower(misspelled), strings.ToLower(word)); d <= near && d < least {
			best, least = word, d
		}
	}
	return best
}

// Distance is how many letters have to be changed, added, removed or swapped
// with their neighbor to turn one word into the other.
func Distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older := before
		before, row = row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := before[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, before[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
