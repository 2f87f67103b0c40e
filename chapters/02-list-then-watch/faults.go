package main

import (
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// fiveEnds is the script of step 2: five ways for a request to end.
var fiveEnds = faults.Written{
	{Request: 2, Event: 2, Kind: faults.Cut},
	{Request: 3, Kind: faults.Unavailable},
	{Request: 4, Event: 1, Kind: faults.Stall},
	{Request: 5, Event: 2, Kind: faults.Close},
	{Request: 6, Event: 1, Kind: faults.Expired},
}

// firstUnderFire is the number of the first step that meets faults.
const firstUnderFire = 2

// eachKind plays the steps with one kind of fault and no other.
func (t *tour) eachKind() []lab.Fault {
	var all []lab.Fault
	for _, kind := range faults.Kinds {
		failure := faults.Fault{Request: 3, Event: 2, Kind: kind, After: time.Second, Count: 1}
		if kind == faults.Delay {
			failure.After = 300 * time.Millisecond // less than the client's patience
		}
		script := faults.Written{
			{Request: 2, Event: 2, Kind: faults.Close}, failure, {Request: 3, Event: 3, Kind: faults.Close},
		}
		all = append(all, lab.Fault{Name: string(kind), First: firstUnderFire, Steps: t.underFire(script, kind)})
	}
	return all
}

// scripted plays a script, such as "2.3 cut; 3 away 2". It is for the narrated step alone.
func (t *tour) scripted(text string) (lab.Fault, error) {
	script, err := faults.Parse(text)
	if err != nil {
		return lab.Fault{}, err
	}
	return lab.Fault{First: firstUnderFire, Steps: t.underFire(script)[:1]}, nil
}
