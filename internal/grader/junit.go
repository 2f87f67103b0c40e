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

// WriteJUnit writes the report as JUnit XML: a suite for each chapter, a case for each exercise.
func (r Report) WriteJUnit(w io.Writer) error {
	var out junitSuites
	var total float64
	for _, res := range r.Results {
		if n := len(out.Suites); n == 0 || out.Suites[n-1].Name != res.Chapter {
			out.Suites = append(out.Suites, junitSuite{Name: res.Chapter, Timestamp: r.Time.Format("2006-01-02T15:04:05")})
		}
		suite := &out.Suites[len(out.Suites)-1]
		c := junitCase{Name: legal(res.Exercise + " " + res.Title), ClassName: res.Chapter, Time: seconds(res.Seconds),
			File: res.File}
		switch res.Status {
		case NotAttempted:
			c.Skipped = &junitMessage{Message: "not attempted"}
			suite.Skipped++
		case Failed:
			c.Failure = &junitMessage{Message: legal(res.Failure.Happened), Type: string(res.Failure.Reason),
				Text: legal(res.Failure.Text())}
			suite.Failures++
		case Errored:
			c.Error = &junitMessage{Message: "could not be graded", Type: "grader", Text: legal(res.Error)}
			suite.Errors++
		}
		suite.Tests++
		suite.Cases = append(suite.Cases, c)
		total += res.Seconds
	}
	for i := range out.Suites {
		s := &out.Suites[i]
		var t float64
		for _, res := range r.Results {
			if res.Chapter == s.Name {
				t += res.Seconds
			}
		}
		s.Time = seconds(t)
		out.Tests, out.Failures, out.Errors = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors
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
