package stub

import "strings"

// Piece is what the exercise of a chapter builds, for a mine/ that puts the reader's in the place of the book's.
type Piece struct {
	// Name is what the piece is called on the page.
	Name string
	// Slug is the exercise's folder.
	Slug string
	// Yours says whether the reader has written it.
	Yours *bool
}

// Look sets Yours of each piece of a chapter, as [Written] says.
func Look(root, chapter string, pieces ...Piece) (err error) {
	for _, p := range pieces {
		if *p.Yours, err = Written(root, chapter, p.Slug); err != nil {
			return err
		}
	}
	return nil
}

// Whose says in a line which pieces are the reader's and which the book's.
func Whose(pieces ...Piece) string {
	var yours, ours []string
	for _, p := range pieces {
		if *p.Yours {
			yours = append(yours, p.Name)
		} else {
			ours = append(ours, p.Name)
		}
	}
	text := "yours: " + strings.Join(yours, ", ")
	if len(ours) > 0 {
		text += "; the book's: " + strings.Join(ours, ", ")
	}
	return text
}
