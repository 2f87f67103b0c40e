package check

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/picture"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/record"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/term"
)

// widest is the terminal that a demo is written for, and what is said to an author.
const widest = 100

var recordingsCheck = Check{
	Name:   "recordings",
	Guards: "output shown in a lesson is what its command prints, numbers aside",
	Slow:   true,
	Run: func(ctx context.Context, t *Tree) ([]Finding, error) {
		blocks, err := record.Find(t.Root)
		if err != nil {
			return []Finding{{"", 0, err.Error(), "mend the block"}}, nil
		}
		stop, err := record.Share(ctx, blocks, term.Quiet())
		if err != nil {
			return nil, err
		}
		defer stop()
		outputs := record.RunAll(ctx, t.Root, blocks, func(string, time.Duration) {})
		var found []Finding
		for _, b := range blocks {
			for line := range strings.Lines(b.Content) {
				if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > widest {
					found = append(found, Finding{b.File, b.Line,
						fmt.Sprintf("a line of the recorded output has %d columns", n), "let the demo wrap at 100"})
					break
				}
			}
			output := outputs[b.Command]
			if output.Err != nil {
				found = append(found, Finding{b.File, b.Line, output.Err.Error(), "run it by hand: it must exit 0"})
				continue
			}
			part, err := b.Part(output.Text)
			if err != nil {
				found = append(found, Finding{b.File, b.Line, err.Error(), "mend from and to in the directive"})
				continue
			}
			if diff := record.Compare(b.Content, part); diff != "" {
				found = append(found, Finding{b.File, b.Line, diff, recordMend(b.File)})
			}
		}
		return found, nil
	},
}

func recordMend(file string) string {
	if c := chapterOf(file); c != "" {
		return "go run ./scripts/record " + c[:2]
	}
	return "go run ./scripts/record"
}

var picturesCheck = Check{
	Name:   "pictures",
	Guards: "each picture of a terminal in docs/images is drawn from the recorded text beside it",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		var found []Finding
		err := eachPicture(t, func(file string, svg []byte, err error) {
			old, readErr := t.Read(file)
			switch {
			case err != nil:
				found = append(found, Finding{file, 0, err.Error(),
					"mend the text file's first line: <!-- recorded: COMMAND -->"})
			case readErr != nil || string(old) != string(svg):
				found = append(found, Finding{file, 0, "is not what its recorded text gives",
					"go run ./scripts/check -fix pictures"})
			}
		})
		svgs, matchErr := t.Match("docs/images/*.svg")
		for _, svg := range svgs {
			if text := strings.TrimSuffix(svg, ".svg") + ".txt"; !t.Exists(text) {
				found = append(found, Finding{svg, 0, "has no recorded text " + text,
					"write the text, or remove the picture"})
			}
		}
		if err == nil {
			err = matchErr
		}
		return found, err
	},
	Fix: func(_ context.Context, t *Tree) ([]string, error) {
		var wrote []string
		err := eachPicture(t, func(file string, svg []byte, err error) {
			if err != nil {
				return
			}
			if did, _ := t.Write(file, svg); did {
				wrote = append(wrote, file)
			}
		})
		return wrote, err
	},
}

func eachPicture(t *Tree, f func(file string, svg []byte, err error)) error {
	texts, err := t.Match("docs/images/*.txt")
	if err != nil {
		return err
	}
	for _, text := range texts {
		source, err := t.Read(text)
		if err != nil {
			return err
		}
		file := strings.TrimSuffix(text, path.Ext(text)) + ".svg"
		blocks, err := record.Blocks(text, source)
		if err == nil && len(blocks) != 1 {
			err = fmt.Errorf("%s does not begin with its directive", text)
		}
		if err != nil {
			f(file, nil, err)
			continue
		}
		f(file, picture.Draw("$ "+blocks[0].Command, blocks[0].Content), nil)
	}
	return nil
}
