package faults

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Script decides what goes wrong with a request. Faults must be a function of its arguments alone:
// request is the ordinal of the request, from 1.
type Script interface {
	Faults(request int, verb Verb) []Fault
}

// Written is a script that is a list of faults.
type Written []Fault

// Faults returns the faults that the list has for the request.
func (w Written) Faults(request int, verb Verb) []Fault {
	var found []Fault
	for _, f := range w {
		if f.Request == request && (verb == Watch || f.Kind.onList()) {
			found = append(found, f)
		}
	}
	return found
}

// Parse reads a script: faults separated by semicolons or newlines, each written as
//
//	REQUEST[.EVENT] KIND [ARGUMENT]
//
// such as "2.3 cut; 4 too-many 2s; 5 away 3; 6.1 delay 100ms". The argument is a time for delay (default 1s), whole
// seconds for too-many (default 1s), a time for stall (default: until the client gives up), and a number of requests
// for away (default 1).
func Parse(text string) (Written, error) {
	var script Written
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		f, err := parseFault(words)
		if err != nil {
			return nil, fmt.Errorf("fault %q: %w", strings.TrimSpace(part), err)
		}
		script = append(script, f)
	}
	return script, nil
}

// parseFault reads one fault from its words.
func parseFault(words []string) (Fault, error) {
	f := Fault{After: time.Second, Count: 1}
	if len(words) > 3 && strings.Contains(strings.Join(words, " "), ",") {
		return f, errors.New("a semicolon stands between two faults, and not a comma")
	}
	if len(words) > 3 {
		return f, errors.New("a semicolon stands between two faults, and each is REQUEST[.EVENT] KIND [ARGUMENT]")
	}
	if len(words) < 2 {
		return f, fmt.Errorf("want REQUEST[.EVENT] KIND [ARGUMENT], such as %q", "2.3 cut")
	}
	request, event, hasEvent := strings.Cut(words[0], ".")
	var err error
	if f.Request, err = strconv.Atoi(request); err != nil || f.Request < 1 {
		return f, fmt.Errorf("the request %q is not a number from 1", request)
	}
	if hasEvent {
		if f.Event, err = strconv.Atoi(event); err != nil || f.Event < 1 {
			return f, fmt.Errorf("the event %q is not a number from 1", event)
		}
	}
	if f.Kind, err = ParseKind(words[1]); err != nil {
		return f, err
	}
	switch {
	case f.Kind.inStream() && f.Event == 0:
		f.Event = 1
	case !f.Kind.inStream() && f.Kind != Delay && f.Event > 0:
		return f, fmt.Errorf("%s happens to a whole request and not to an event of it: write \"%d %s\"", f.Kind,
			f.Request, f.Kind)
	}
	if len(words) == 3 {
		err = f.argument(words[2])
	}
	return f, err
}

// argument reads what stands after the kind.
func (f *Fault) argument(word string) (err error) {
	switch f.Kind {
	case TooMany:
		if f.After, err = time.ParseDuration(word); err != nil || f.After < time.Second || f.After%time.Second != 0 {
			return fmt.Errorf("%s takes whole seconds from 1s on, such as 2s, because Retry-After can say no others, "+
				"and not %q", f.Kind, word)
		}
	case Delay:
		if f.After, err = time.ParseDuration(word); err != nil || f.After < 0 {
			return fmt.Errorf("%s takes a time such as 500ms or 2s, and not %q", f.Kind, word)
		}
	case Stall:
		if f.Lasts, err = time.ParseDuration(word); err != nil || f.Lasts <= 0 {
			return fmt.Errorf("%s takes no argument, or a time such as 30s, and not %q", f.Kind, word)
		}
	case Away:
		if f.Count, err = strconv.Atoi(word); err != nil || f.Count < 1 {
			return fmt.Errorf("%s takes a number of requests from 1, and not %q", f.Kind, word)
		}
	default:
		return fmt.Errorf("%s takes no argument", f.Kind)
	}
	return nil
}

// ParseKind finds a kind by its name, and names all of them when there is none such.
func ParseKind(name string) (Kind, error) {
	if k := Kind(name); slices.Contains(Kinds, k) {
		return k, nil
	}
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = string(k)
	}
	return "", fmt.Errorf("there is no fault %q; there are %s", name, strings.Join(names, ", "))
}
