package twoservers

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/author/record"
)

// Compare says where the outputs of a chapter's demo differ without a row that says so, and which rows say what is not
// so: one finding for each step and each row. here is the output on chapter 03's server, there that on kube-apiserver.
func Compare(chapter, here, there string, known []Difference) (found []string) {
	ours, theirs := steps(here), steps(there)
	if len(ours) != len(theirs) {
		return []string{fmt.Sprintf("%s has %d steps on chapter 03's server and %d on kube-apiserver", chapter,
			len(ours), len(theirs))}
	}
	for _, d := range known {
		if d.Chapter != chapter {
			continue
		}
		isHere, isThere := false, false
		for i := range ours {
			var was bool
			ours[i], was = d.settle(ours[i], d.Here)
			isHere = isHere || was
			theirs[i], was = d.settle(theirs[i], d.There)
			isThere = isThere || was
		}
		if !isHere {
			found = append(found, fmt.Sprintf("%s:%d: on chapter 03's server %s does not print %q: the row goes, "+
				"or its text is another", Page, d.Line, chapter, d.Here))
		}
		if !isThere {
			found = append(found, fmt.Sprintf("%s:%d: on kube-apiserver %s does not print %q: the row goes, "+
				"or its text is another", Page, d.Line, chapter, d.There))
		}
	}
	for i := range ours {
		if diff := record.Compare(theirs[i], ours[i]); diff != "" {
			diff = strings.NewReplacer("recorded:", "kube-apiserver:", "now:", "chapter 03's server:").Replace(diff)
			found = append(found, fmt.Sprintf("%s, %s\n   %s\n   mend chapters/03-watch-server/apiserver, "+
				"or say why in %s, %q", chapter, title(theirs[i]), diff, Page, Heading))
		}
	}
	return found
}

// steps cuts an output at the headings of its steps. What stands before the first is about the cluster.
func steps(output string) []string {
	parts := strings.Split("\n"+output, "\n── ")
	return parts[1:]
}

// title is a step's heading, without its rule.
func title(step string) string {
	heading, _, _ := strings.Cut(step, "\n")
	return strings.TrimSpace(strings.TrimRight(heading, "─"))
}

// settle puts the row in place of a text of one side, wherever the text's lines are broken, and says whether the step
// has it.
func (d Difference) settle(step, text string) (settled string, was bool) {
	lines := strings.SplitAfter(step, "\n")
	words, ends := "", make([]int, len(lines)) // where each line ends in the words
	for i, line := range lines {
		words += record.Normalise(line)
		ends[i] = len(words)
	}
	var out strings.Builder
	line, at := 0, 0 // what is written: whole lines, and words of this one
	upTo := func(place int) {
		for ; line < len(lines) && ends[line] <= place; line++ {
			if begin := ends[line] - len(record.Normalise(lines[line])); at > begin {
				out.WriteString(words[min(at, ends[line]):ends[line]] + "\n")
			} else {
				out.WriteString(lines[line])
			}
			at = ends[line]
		}
		if at < place {
			out.WriteString(words[at:place] + "\n")
			at = place
		}
	}
	for _, match := range pattern(text).FindAllStringIndex(words, -1) {
		upTo(match[0])
		out.WriteString("[" + d.Here + "]\n")
		for ; line < len(lines) && ends[line] <= match[1]; line++ {
		}
		at, was = match[1], true
	}
	upTo(len(words))
	return out.String(), was
}

// pattern finds a text in words. What the text leaves out may be anything.
func pattern(text string) *regexp.Regexp {
	parts := strings.Split(text, leftOut)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(record.Normalise(part))
	}
	return regexp.MustCompile(strings.Join(parts, ".*?"))
}
