package check

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

const budgetsFile = "docs/budgets.yaml"

// budgets are what docs/budgets.yaml says.
type budgets struct {
	// Mechanisms are lines of code, by folder or, for a mechanism of several packages, by chapter.
	Mechanisms map[string]int `yaml:"mechanisms"`
	Mechanism  int            `yaml:"mechanism"` // of a chapter that is not named
	Function   int            `yaml:"function"`
	Test       int            `yaml:"test"`
	Columns    int            `yaml:"columns"` // of a line of Go; 0 for any number
	// Missed budgets, each with the sentence that says why:
	// "PATH NAME" for a function, the chapter for a mechanism or a harness.
	Missed map[string]string `yaml:"missed"`
}

var budgetsCheck = Check{
	Name:   "budgets",
	Guards: "mechanisms, harnesses, functions and lines are as long as docs/budgets.yaml allows, or it says why not",
	Run: func(_ context.Context, t *Tree) ([]Finding, error) {
		source, err := t.Read(budgetsFile)
		if err != nil {
			return nil, nil // nothing to guard
		}
		var b budgets
		decoder := yaml.NewDecoder(bytes.NewReader(source))
		decoder.KnownFields(true)
		if err := decoder.Decode(&b); err != nil {
			return nil, fmt.Errorf("%s: %w", budgetsFile, err)
		}
		var over []overrun
		for _, measure := range []func(*Tree, budgets) ([]overrun, error){mechanismsOver, functionsOver, columnsOver} {
			more, err := measure(t, b)
			if err != nil {
				return nil, err
			}
			over = append(over, more...)
		}
		return compareBudgets(over, b), nil
	},
}

// An overrun is something that is larger than its budget.
type overrun struct {
	Key     string // as in Missed
	Finding Finding
}

func compareBudgets(over []overrun, b budgets) (found []Finding) {
	reached := map[string]bool{}
	for _, o := range over {
		reached[o.Key] = true
		if strings.TrimSpace(b.Missed[o.Key]) == "" {
			found = append(found, o.Finding)
		}
	}
	for key := range b.Missed {
		if !reached[key] {
			found = append(found, Finding{budgetsFile, 0, "excuses " + key + ", which keeps its budget",
				"take the line out"})
		}
	}
	return found
}

func mechanismsOver(t *Tree, b budgets) (over []overrun, err error) {
	for _, chapter := range t.Chapters() {
		folders, err := t.mechanismFolders(chapter)
		if err != nil {
			return nil, err
		}
		mechanism, err := t.linesIn(folders...)
		if err != nil {
			return nil, err
		}
		budget, named := b.Mechanisms[chapter]
		if !named {
			budget = b.Mechanism
		}
		if mechanism > budget {
			over = append(over, overrun{chapter, Finding{"chapters/" + chapter, 0,
				fmt.Sprintf("the mechanism has %d lines of code, and its budget is %d", mechanism, budget),
				"say less in it, or say why not under missed: in " + budgetsFile + ", with the key " + chapter}})
		}
		folders, err = t.harnessFolders(chapter)
		if err != nil {
			return nil, err
		}
		harness, err := t.linesIn(folders...)
		if err != nil {
			return nil, err
		}
		if harness > mechanism {
			key := chapter + " harness"
			over = append(over, overrun{key, Finding{"chapters/" + chapter, 0,
				fmt.Sprintf("what demos and tests stand on has %d lines of code, more than the mechanism's %d",
					harness, mechanism),
				"use what an earlier chapter built, or say why not under missed: in " + budgetsFile +
					", with the key " + key}})
		}
	}
	return over, nil
}

func functionsOver(t *Tree, b budgets) (over []overrun, err error) {
	err = eachGo(t, func(file string, source []byte) error {
		if strings.HasPrefix(file, "solutions/") {
			return nil // as long as somebody's answer is
		}
		if isGenerated(source) {
			return nil
		}
		functions, err := functionsOf(source)
		if err != nil {
			return nil // gofmt says so
		}
		for _, f := range functions {
			budget := b.Function
			if strings.HasSuffix(file, "_test.go") {
				budget = b.Test
			}
			if key := file + " " + f.Name; f.Lines > budget {
				over = append(over, overrun{key,
					Finding{file, f.Line, fmt.Sprintf("%s has %d lines, and the budget is %d", f.Name, f.Lines, budget),
						"take it apart, or say why not under missed: in " + budgetsFile + ", with the key " + key}})
			}
		}
		return nil
	})
	return over, err
}
