// Symptom finds the rows of docs/symptoms.md whose messages stand in a log: go run ./scripts/symptom < controller.log
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/repo"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/symptoms"
)

const usage = `usage: go run ./scripts/symptom < controller.log
       go run ./scripts/symptom [-all] controller.log ...
       go run ./scripts/symptom [-all] "object has been modified"

Finds the rows of docs/symptoms.md whose messages stand in a log, the most telling first, with the
lines of the log, the command that reproduces what happened, and the chapter, and last the errors
that no row explains. The log is of klog, JSON or plain text, and of any size. What stands in angle
brackets in the table may be anything of the kind. Words that are no file are looked for in the
table: a message, what you see, or a fault's name.

Exit status: 0 found, 1 nothing found, 2 used wrongly or not readable (go run makes 1 of both).

`

func main() {
	all := flag.Bool("all", false, "explain every row that fits, not the first five")
	flag.Usage = func() { fmt.Fprint(os.Stderr, usage); flag.PrintDefaults() }
	flag.Parse()
	root, err := repo.Root()
	if err != nil {
		fmt.Fprintln(os.Stderr, "symptom:", err)
		os.Exit(2)
	}
	if flag.NArg() == 0 && terminal(os.Stdin) {
		flag.Usage()
		os.Exit(2)
	}
	code, err := run(root, flag.Args(), *all, os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "symptom:", err)
	}
	os.Exit(code)
}

// terminal says whether somebody would have to type the log.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// run does what main does, and gives the exit status.
func run(root string, args []string, all bool, stdin io.Reader, out io.Writer) (int, error) {
	page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(symptoms.File)))
	if err != nil {
		return 2, err
	}
	rows, err := symptoms.Parse(string(page))
	if len(rows) == 0 {
		return 2, err // a row that is broken does not hide the others: the check `symptoms` tells of it
	}
	if len(args) == 0 {
		return searchLog(rows, "standard input", stdin, all, out)
	}
	files, err := logs(args)
	if err != nil {
		return 2, err
	}
	if len(files) == 0 {
		return searchWords(rows, strings.Join(args, " "), all, out)
	}
	code := 1
	var failed error
	for i, name := range files {
		if i > 0 {
			fmt.Fprintln(out)
		}
		found, err := searchFile(rows, name, stdin, all, out)
		failed = errors.Join(failed, err)
		if code != 2 && found != 1 {
			code = found
		}
	}
	return code, failed
}

// logs gives the arguments if they are files, and nothing if they are words.
func logs(args []string) ([]string, error) {
	files, words := []string{}, []string{}
	for _, a := range args {
		info, err := os.Stat(a)
		switch {
		case a == "-" || err == nil && !info.IsDir():
			files = append(files, a)
		case err == nil && strings.ContainsAny(a, `/\`):
			return nil, fmt.Errorf("%s is a folder: name the logs in it", a)
		case err != nil && !strings.Contains(a, " ") && (strings.HasPrefix(a, "/") || strings.HasPrefix(a, "./") ||
			strings.HasPrefix(a, "../") || strings.HasSuffix(a, ".log")):
			return nil, err
		default:
			words = append(words, a)
		}
	}
	if len(files) > 0 && len(words) > 0 {
		return nil, fmt.Errorf("%q is no file, and %s is one: give logs, or words", words[0], files[0])
	}
	return files, nil
}

func searchFile(rows []symptoms.Row, name string, stdin io.Reader, all bool, out io.Writer) (int, error) {
	if name == "-" {
		return searchLog(rows, "standard input", stdin, all, out)
	}
	f, err := os.Open(name)
	if err != nil {
		return 2, err
	}
	defer f.Close()
	return searchLog(rows, name, f, all, out)
}

func searchLog(rows []symptoms.Row, name string, log io.Reader, all bool, out io.Writer) (int, error) {
	found, saw, err := symptoms.Search(rows, log)
	if errors.Is(err, symptoms.ErrUnreadable) {
		return 2, fmt.Errorf("%s %w", name, err)
	}
	if err != nil {
		return 2, fmt.Errorf("reading %s: %w", name, err)
	}
	switch {
	case saw.Bytes == 0:
		fmt.Fprintf(out, "%s is empty: there is nothing to look for.\n", name)
	case len(found) == 0 && saw.Nuls:
		fmt.Fprintf(out, "%s is no text, and no message of %s stands in its %d bytes.\n", name, symptoms.File, saw.Bytes)
	case len(found) == 0:
		fmt.Fprintf(out, "%s: no message of %s stands in it (lines: %d).\nWhat you see can be said in words, as in:\n"+
			"  go run ./scripts/symptom \"handled twice\"\n", name, symptoms.File, saw.Lines)
	default:
		symptoms.Print(out, name, found, saw, all)
		return 0, nil
	}
	symptoms.PrintUnexplained(out, saw.Unexplained)
	return 1, nil
}

// searchWords takes the words for a message first, and then for what somebody sees.
func searchWords(rows []symptoms.Row, text string, all bool, out io.Writer) (int, error) {
	found, saw, err := symptoms.Search(rows, strings.NewReader(text))
	if err == nil && len(found) > 0 && !found[0].Weak() {
		symptoms.Print(out, "the message", found, saw, all)
		return 0, nil
	}
	matches, every := symptoms.ByWords(rows, text)
	if len(matches) == 0 {
		fmt.Fprintf(out, "No row of %s has these words. Try fewer, or the noun: conflict, bookmark, tombstone.\n",
			symptoms.File)
		return 1, nil
	}
	symptoms.PrintWords(out, matches, every, all)
	return 0, nil
}
