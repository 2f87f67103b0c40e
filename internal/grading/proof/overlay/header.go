package overlay

import (
	"errors"
	"fmt"
	"strings"
)

// A Header is the comment at the top of an overlay. That of a wrong solution has a Misconception or it Breaks a
// sentence, never both. That of a broken mechanism has a Misconception, and the Guideline that says otherwise.
type Header struct {
	Guideline     string   // the concept's id, "S2-01"
	Misconception string   // the belief, one sentence
	Breaks        string   // the sentence of the assignment that the solution breaks, quoted
	CaughtBy      string   // the test that a learner is shown, or that notices: TestName or TestName/subtest
	In            string   // the folder of a broken mechanism's test below the chapter; empty for the mechanism's own
	Message       string   // a literal part of the message that a learner sees
	Removes       []string // names of declarations of the base that the program lacks
	Base          string   // "alt/lines"; empty for the reference. The mechanism's file, "queue.go"
	Stage         string   // of one in wrong/also: the stage that it does not pass; the test and the message are open
}

// headerFields are the fields of a header in the order in which they are written.
var headerFields = []string{"Guideline:", "Misconception:", "Breaks:", "Caught by:", "In:", "Message:", "Removes:",
	"Base:", "Stage:"}

// ReadHeader reads the comment that a file begins with, whatever is missing in it. A field goes on over the comment
// lines after it.
func ReadHeader(source []byte) Header {
	fields := map[string]string{}
	at := ""
	for line := range strings.Lines(string(source)) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			break
		}
		text = strings.TrimSpace(text)
		for _, name := range headerFields {
			if rest, ok := strings.CutPrefix(text, name); ok {
				at, text = name, strings.TrimSpace(rest)
			}
		}
		if at != "" {
			fields[at] = strings.TrimSpace(fields[at] + " " + text)
		}
	}
	return Header{
		Guideline:     fields["Guideline:"],
		Misconception: fields["Misconception:"],
		Breaks:        unquote(fields["Breaks:"]),
		CaughtBy:      fields["Caught by:"],
		In:            fields["In:"],
		Message:       fields["Message:"],
		Removes:       strings.FieldsFunc(fields["Removes:"], func(r rune) bool { return r == ',' || r == ' ' }),
		Base:          fields["Base:"],
		Stage:         fields["Stage:"],
	}
}

// unquote takes one pair of quotation marks away.
func unquote(s string) string {
	if len(s) > 1 && strings.HasPrefix(s, `"`) && strings.HasSuffix(s, `"`) {
		return s[1 : len(s)-1]
	}
	return s
}

// CheckGuideline says what the header of a broken mechanism lacks.
func (h Header) CheckGuideline() error {
	switch {
	case h.Guideline == "":
		return errors.New("its comment at the very top of the file lacks Guideline:, the id of a concept")
	case h.Breaks != "":
		return errors.New("its comment at the very top of the file has Breaks: and no Misconception:, which is " +
			"for exercises")
	case h.Base == "":
		return errors.New("its comment at the very top of the file lacks Base:, the file of the mechanism that it is " +
			"laid over")
	}
	return h.missing()
}

// Check says what the header of a wrong solution lacks.
func (h Header) Check() error {
	if h.Guideline != "" || h.In != "" {
		return errors.New("its comment at the very top of the file has Guideline: or In:, which are for mechanisms")
	}
	if h.Misconception != "" && h.Breaks != "" {
		return errors.New("its comment at the very top of the file has both Misconception: and Breaks:, and is one " +
			"of the two")
	}
	if h.Stage != "" {
		return errors.New("its comment at the very top of the file has Stage:, which is for what lies in wrong/also")
	}
	return h.missing()
}

// CheckAlso says what the header of a further wrong solution lacks, or has too much.
func (h Header) CheckAlso() error {
	switch {
	case (h.Misconception == "") == (h.Breaks == ""):
		return errors.New("its comment at the very top of the file has neither or both of Misconception: and Breaks: (it is one of the two)")
	case len(h.Stage) != 1 || h.Stage < "1" || h.Stage > "9":
		return errors.New("its comment at the very top of the file lacks Stage:, the number of the stage that it fails in")
	case h.CaughtBy+h.Message+h.Guideline+h.In != "":
		return errors.New("what lies in wrong/also names its stage alone, and has no Caught by: and no Message: of its own")
	}
	return nil
}

// missing names what no header is without.
func (h Header) missing() error {
	var missing []string
	for _, f := range []struct{ name, text string }{
		{"Misconception: (or Breaks:)", h.Misconception + h.Breaks},
		{"Caught by:", h.CaughtBy},
		{"Message:", h.Message},
	} {
		if f.text == "" {
			missing = append(missing, f.name)
		}
	}
	if len(missing) > 0 {
		return errors.New("its comment at the very top of the file lacks " + strings.Join(missing, ", "))
	}
	return nil
}

// format writes the header as comment lines of at most 120 columns.
func (h Header) format() string {
	first := [2]string{"Misconception:", h.Misconception}
	if h.Breaks != "" {
		first = [2]string{"Breaks:", h.Breaks}
	}
	var out strings.Builder
	for _, f := range [][2]string{first, {"Caught by:", h.CaughtBy}, {"Message:", h.Message},
		{"Removes:", strings.Join(h.Removes, ", ")}, {"Base:", h.Base}} {
		if f[1] == "" {
			continue
		}
		line := "// " + f[0]
		for _, word := range strings.Fields(f[1]) {
			if len([]rune(line))+1+len([]rune(word)) > 120 {
				fmt.Fprintln(&out, line)
				line = "//"
			}
			line += " " + word
		}
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

// WithHeader puts a header in the place of the one that an overlay has.
func WithHeader(text []byte, h Header) []byte {
	rest := string(text)
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			break
		}
		rest = rest[len(line):]
	}
	return []byte(h.format() + rest)
}
