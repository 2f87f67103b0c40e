package grader

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr"`
	Cases     []junitCase `xml:"testcase"`

	seconds float64
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	File      string        `xml:"file,attr,omitempty"`
	Skipped   *junitMessage `xml:"skipped"`
	Failure   *junitMessage `xml:"failure"`
	Error     *junitMessage `xml:"error"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the report as JUnit XML: a suite for each chapter, a case for each exercise, or each of its stages.
func (r Report) WriteJUnit(w io.Writer) error { return writeJUnit(w, suitesOf(r, "")) }

// WriteClassJUnit writes the reports of several submissions as one: a suite for each submission and chapter.
func WriteClassJUnit(w io.Writer, reports []Report) error {
	var suites []junitSuite
	for _, r := range reports {
		suites = append(suites, suitesOf(r, r.Submission+"/")...)
	}
	return writeJUnit(w, suites)
}

// suitesOf makes the suites of one report, their names after a prefix.
func suitesOf(r Report, prefix string) []junitSuite {
	var suites []junitSuite
	for _, res := range r.Results {
		name := legal(prefix + res.Chapter)
		if n := len(suites); n == 0 || suites[n-1].Name != name {
			suites = append(suites, junitSuite{Name: name, Timestamp: r.Time.Format("2006-01-02T15:04:05")})
		}
		suite := &suites[len(suites)-1]
		for _, c := range casesOf(res) {
			c.ClassName = name
			suite.add(c)
		}
		suite.seconds += res.Seconds
		suite.Time = seconds(suite.seconds)
	}
	return suites
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}

// casesOf makes a case of an exercise, or of each of its stages; the first has the seconds.
func casesOf(r Result) (cases []junitCase) {
	whole := junitCase{Name: legal(r.Exercise + " " + r.Title), Time: seconds(r.Seconds), File: r.File}
	switch {
	case r.Status == Errored:
		whole.Error = &junitMessage{Message: "could not be graded", Type: "grader", Text: legal(r.Error)}
		return []junitCase{whole}
	case len(r.Stages) == 0:
		whole.Skipped, whole.Failure = r.junitMessages()
		return []junitCase{whole}
	}
	for i, s := range r.Stages {
		c := whole
		c.Name = legal(fmt.Sprintf("%s %s, stage %d: %s", r.Exercise, r.Title, s.Stage, s.heading()))
		if i > 0 {
			c.Time = seconds(0)
		}
		switch {
		case s.Outcome == StageAtHand:
			c.Skipped, c.Failure = r.junitMessages()
		case s.Outcome == StageNotReached && r.Status == NotAttempted:
			c.Skipped, _ = r.junitMessages()
		case s.Outcome == StageNotReached:
			c.Skipped = &junitMessage{Message: r.comesFirst()}
		}
		cases = append(cases, c)
	}
	return cases
}

// junitMessages say why the exercise, or its stage at hand, is not passed. What it is passed without is skipped.
func (r Result) junitMessages() (skipped, failure *junitMessage) {
	switch {
	case r.Status == NotAttempted:
		return &junitMessage{Message: "not attempted"}, nil
	case r.Failure == nil:
		return nil, nil
	case r.Status == Passed:
		return &junitMessage{Message: legal("the exercise is passed without it: " + r.Failure.Happened)}, nil
	}
	return nil, &junitMessage{Message: legal(r.Failure.Happened), Type: string(r.Failure.Reason),
		Text: legal(r.Failure.Text())}
}

func writeJUnit(w io.Writer, suites []junitSuite) error {
	out := junitSuites{Suites: suites}
	total := 0.0
	for _, s := range suites {
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
		total += s.seconds
	}
	out.Time = seconds(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// legal replaces what XML can't hold, even escaped.
func legal(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r >= 0x20 && r <= 0xD7FF || r >= 0xE000 && r <= 0xFFFD && r != 0xFFFE ||
			r >= 0x10000 && r <= 0x10FFFF {
			return r
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
