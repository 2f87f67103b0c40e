// Command 10-custom-resource goes from a Go type to a URL, and shows what the API server does with the objects of a
// kind that it learned a moment ago: what it refuses, what it adds, what it drops, and what becomes of objects when
// their type changes.
//
//	go run ./chapters/10-custom-resource               plays everything
//	go run ./chapters/10-custom-resource -list         lists what there is to play
//	go run ./chapters/10-custom-resource -fault zero   plays one failure
//	go run ./chapters/10-custom-resource -step         waits for Enter, and asks what will happen
//	go run ./chapters/10-custom-resource -interactive  stays on, to be driven with kubectl
//
// main.go is the table of contents. step1_url.go and its neighbours are the steps, faults.go is what -fault plays,
// interactive.go what -interactive runs, and setup.go what they share. The kind of the run's own and the clients whose
// bytes are counted are in scenario/. The types are in api/, the mechanisms in scheme/ and restmapper/.
package main

import "github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"

func main() { lab.Main(demo()) }

// demo is the table of contents.
func demo() lab.Demo {
	t := &tour{}
	return lab.Demo{
		Chapter:     "10-custom-resource",
		Title:       "a kind of one's own, from a Go type to a URL",
		Steps:       steps(t),
		Faults:      faults(),
		Interactive: explore,
	}
}

func steps(t *tour) []lab.Step {
	return []lab.Step{
		{Title: "Go from a Go type to a URL", Run: t.url,
			Why: "Process is a Go type of this chapter. This run serves it in a group of its own, which is not there yet. " +
				"A Scheme says which kind the type is, and a RESTMapper asks the API server which resource has that kind.",
			Question: "A first Process is created through Scheme and RESTMapper, and then a second one. How many discovery " +
				"requests does the second one cost: none, one, or two?",
			Answer: "None. The mapper keeps what it was told of a group version. It asks again when it does not find a kind."},
		{Title: "Be refused", Run: t.refuse,
			Why: "From here on it is the book's own group, scratch.example.com. Each object below breaks one rule, which a " +
				"marker in the Go type has put into the CRD. Then one has a typo in a field's name.",
			Question: "A Process says maxRestart where the field is maxRestarts. Nothing is said of validation in the " +
				"request, as client-go sends it. What does the server do: refuse it, store it with maxRestart, or " +
				"store it without?",
			Answer: "It stores it without, and answers 201 Created with a warning in a header. Only Strict refuses, and kubectl " +
				"asks for that."},
		{Title: "See what the server adds, and what it drops", Run: t.keep,
			Why: "A Process is written with nothing but its command. Then spec and status are written, each through both URLs."},
		{Title: "Read with three clients", Run: t.clients,
			Why: "There are 100 Processes. A typed client, a dynamic one and a metadata-only one list them.",
			Question: "Which answer has the fewest bytes: that to the typed client, to the dynamic one, to the metadata-only " +
				"one, or are all three as long?",
			Answer: "That to the metadata-only one. The other two send the same request, and differ in what they make of the " +
				"answer."},
		{Title: "Change the type", Run: t.change,
			Why: "In the run's own group again: a Process is created, and then its type gets a field more, a stricter rule, and a " +
				"field less. Each write of the Process is shown."},
		{Title: "Add a version", Run: t.convert,
			Why: "v1beta1 has gracePeriod, a duration as text, in place of v1alpha1's gracePeriodSeconds. The CRD's conversion " +
				"is None, which is the default: the server changes apiVersion and nothing else."},
	}
}

func faults() []lab.Fault {
	return []lab.Fault{
		{Name: "too-early", Steps: []lab.Step{{Title: "Ask before the CRD is there", Run: tooEarly,
			Why: "Three mappers are asked for a kind. Then its CRD is installed, and they are asked again."}}},
		{Name: "not-registered", Steps: []lab.Step{{Title: "Forget to register a type", Run: notRegistered,
			Why: "A program uses Process, and has not called AddToScheme."}}},
		{Name: "typo", Steps: []lab.Step{{Title: "Lose a field to a typo", Run: typo,
			Why: "A program wants a grace period of 60 seconds, and writes the field's name without its last letter."}}},
		{Name: "zero", Steps: []lab.Step{{Title: "Scale to zero", Run: zero,
			Why: "Two programs want a ProcessSet of no Processes. In the Go type of one, replicas is an int32 with omitempty. " +
				"In that of the other it is a pointer."}}},
		{Name: "no-subresource", Steps: []lab.Step{{Title: "Write a status that is no subresource", Run: noSubresource,
			Why: "Two kinds differ in one line: the CRD of the second has no subresource status."}}},
	}
}
