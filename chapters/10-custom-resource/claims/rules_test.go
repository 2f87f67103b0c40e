package claims

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/install"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit/cluster"
)

// rule is one rule of the book's types, an object at its edge, and one behind it.
type rule struct {
	name  string // the kind, the field, and what the CRD has for it
	right object // fields of spec
	wrong object
	says  string // what the server answers to the wrong one
	also  string // and what it says besides
	was   object // for a rule about changes: what the right one is changed from
}

// text is a string of so many characters.
func text(n int) string { return strings.Repeat("x", n) }

// many is a list of so many values.
func many(n int, value func(i int) any) (list []any) {
	for i := range n {
		list = append(list, value(i))
	}
	return list
}

// variable is a variable of an environment.
func variable(i int) any { return object{"name": fmt.Sprint("V", i)} }

// env is an environment of one variable.
func env(name, value string) object {
	return object{"env": []any{object{"name": name, "value": value}}}
}

// labelled are so many labels, of which the first is the set's.
func labelled(n int) object {
	all := object{"app": "web"}
	for i := range n - 1 {
		all[fmt.Sprint("l", i)] = "x"
	}
	return all
}

// template is one of a set of Processes.
func template(fields object) object {
	return object{"template": with(object{"labels": labelled(1), "spec": sleeping()}, fields)}
}

func rulesOfProcess() []rule {
	failing := func(n int) object { return object{"restartPolicy": "OnFailure", "maxRestarts": n} }
	return []rule{
		{name: "Process spec.command required", right: object{"command": "x"}, wrong: object{"command": nil},
			says: `spec.command: Required value`},
		{name: "Process spec.command minLength", right: object{"command": "x"}, wrong: object{"command": ""},
			says: `spec.command: Invalid value: "": spec.command in body should be at least 1 chars long`},
		{name: "Process spec.command maxLength",
			right: object{"command": text(1024)}, wrong: object{"command": text(1025)},
			says: `spec.command: Too long: may not be more than 1024 bytes`},
		{name: "Process spec.command rule !self.contains(' ')",
			right: object{"args": []any{"1 2"}}, wrong: object{"command": "sleep 60"},
			says: `spec.command: Invalid value: "sleep 60": command is one program and no line for a shell: its arguments belong into args`},
		{name: "Process spec rule self.command == oldSelf.command",
			was: sleeping(), right: object{"args": []any{"60"}}, wrong: object{"command": "top"},
			says: `spec.command: Invalid value: a process can't become another program: delete this Process, and create one with the new command`},
		{name: "Process spec.args maxItems", right: object{"args": many(64, func(int) any { return "" })},
			wrong: object{"args": many(65, func(int) any { return "" })},
			says:  `spec.args: Too many: 65: must have at most 64 items`},
		{name: "Process spec.args[] maxLength",
			right: object{"args": []any{text(4096)}}, wrong: object{"args": []any{text(4097)}},
			says: `spec.args[0]: Too long: may not be more than 4096 bytes`},
		{name: "Process spec.env maxItems",
			right: object{"env": many(64, variable)}, wrong: object{"env": many(65, variable)},
			says: `spec.env: Too many: 65: must have at most 64 items`},
		{name: "Process spec.env listMapKeys", right: object{"env": []any{variable(1), variable(2)}},
			wrong: object{"env": []any{variable(1), variable(1)}},
			says:  `spec.env[1]: Duplicate value: {"name":"V1"}`},
		{name: "Process spec.env[].name required",
			right: env("_", ""), wrong: object{"env": []any{object{"value": "x"}}},
			says: `spec.env[0].name: Required value`},
		{name: "Process spec.env[].name maxLength", right: env(text(128), ""), wrong: env(text(129), ""),
			says: `spec.env[0].name: Too long: may not be more than 128 bytes`},
		{name: "Process spec.env[].name rule self.matches('^[A-Za-z_][A-Za-z0-9_]*$')",
			right: env("_1", ""), wrong: env("1_", ""),
			says: `spec.env[0].name: Invalid value: "1_": the name of a variable has letters, digits and underscores, and begins with no digit`},
		{name: "Process spec.env[].value maxLength", right: env("V", text(4096)), wrong: env("V", text(4097)),
			says: `spec.env[0].value: Too long: may not be more than 4096 bytes`},
		{name: "Process spec.restartPolicy enum",
			right: object{"restartPolicy": "Never"}, wrong: object{"restartPolicy": "never"},
			says: `spec.restartPolicy: Unsupported value: "never": supported values: "Always", "OnFailure", "Never"`},
		{name: "Process spec.maxRestarts minimum", right: failing(0), wrong: failing(-1),
			says: `spec.maxRestarts: Invalid value: -1: spec.maxRestarts in body should be greater than or equal to 0`},
		{name: "Process spec.maxRestarts maximum", right: failing(1000), wrong: failing(1001),
			says: `spec.maxRestarts: Invalid value: 1001: spec.maxRestarts in body should be less than or equal to 1000`},
		{name: "Process spec rule !has(self.maxRestarts) || self.restartPolicy == 'OnFailure'",
			right: failing(3), wrong: object{"maxRestarts": 3},
			says: `spec.maxRestarts: Invalid value: maxRestarts counts restarts after failures, so it needs restartPolicy OnFailure`},
		{name: "Process spec.gracePeriodSeconds minimum",
			right: object{"gracePeriodSeconds": 0}, wrong: object{"gracePeriodSeconds": -1},
			says: `spec.gracePeriodSeconds: Invalid value: -1: spec.gracePeriodSeconds in body should be greater than or equal to 0`},
		{name: "Process spec.gracePeriodSeconds maximum",
			right: object{"gracePeriodSeconds": 600}, wrong: object{"gracePeriodSeconds": 601},
			says: `spec.gracePeriodSeconds: Invalid value: 601: spec.gracePeriodSeconds in body should be less than or equal to 600`},
	}
}

func rulesOfProcessSet() []rule {
	return []rule{
		{name: "ProcessSet spec.replicas minimum", right: object{"replicas": 0}, wrong: object{"replicas": -1},
			says: `spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0`,
			also: `.spec.replicas: Invalid value: -1: should be a non-negative integer`}, // the subresource scale has its own rule
		{name: "ProcessSet spec.replicas maximum", right: object{"replicas": 100}, wrong: object{"replicas": 101},
			says: `spec.replicas: Invalid value: 101: spec.replicas in body should be less than or equal to 100`},
		{name: "ProcessSet spec.selector required",
			right: object{"selector": labelled(1)}, wrong: object{"selector": nil},
			says: `spec.selector: Required value`},
		{name: "ProcessSet spec.selector minProperties",
			right: object{"selector": labelled(1)}, wrong: object{"selector": object{}},
			says: `spec.selector: Invalid value: 0: spec.selector in body should have at least 1 properties`},
		{name: "ProcessSet spec.selector maxProperties",
			right: with(template(object{"labels": labelled(8)}), object{"selector": labelled(8)}),
			wrong: with(template(object{"labels": labelled(9)}), object{"selector": labelled(9)}),
			says:  `spec.selector: Too many: 9: must have at most 8 items`},
		{name: "ProcessSet spec.selector rule self == oldSelf",
			was: template(object{"labels": labelled(2)}), right: object{"replicas": 2},
			wrong: with(template(object{"labels": labelled(2)}), object{"selector": labelled(2)}),
			says:  `spec.selector: Invalid value: the selector can't be changed: Processes that it no longer selects would be left behind`},
		{name: "ProcessSet spec rule self.selector.all(k, has(self.template.labels) && k in self.template.labels && self.template.labels[k] == self.selector[k])",
			right: template(object{"labels": labelled(2)}), wrong: template(object{"labels": nil}),
			says: `spec.template: Invalid value: the selector must match the labels of the template, or the set would not know its own Processes`},
		{name: "ProcessSet spec.template required", right: template(nil), wrong: object{"template": nil},
			says: `spec.template: Required value`},
		{name: "ProcessSet spec.template.spec required", right: template(nil), wrong: template(object{"spec": nil}),
			says: `spec.template.spec: Required value`},
		{name: "ProcessSet spec.template.labels maxProperties",
			right: template(object{"labels": labelled(32)}), wrong: template(object{"labels": labelled(33)}),
			says: `spec.template.labels: Too many: 33: must have at most 32 items`},
		{name: "ProcessSet spec.template.annotations maxProperties",
			right: template(object{"annotations": labelled(32)}), wrong: template(object{"annotations": labelled(33)}),
			says: `spec.template.annotations: Too many: 33: must have at most 32 items`},
	}
}

// kind and resource are what the rule is of.
func (r rule) kind() string { kind, _, _ := strings.Cut(r.name, " "); return kind }

func (r rule) resource() string {
	return map[string]string{"Process": "processes", "ProcessSet": "processsets"}[r.kind()]
}

// causes are what a refusal consists of. Where something is missing, too long, too much or none of a list, no rule in
// CEL is checked, and the refusal says so.
func (r rule) causes() []string {
	causes := []string{r.says}
	if r.also != "" {
		causes = append(causes, r.also)
	}
	for _, blocking := range []string{": Required value", ": Too long:", ": Too many:", ": Unsupported value:"} {
		if strings.Contains(r.says, blocking) {
			causes = append(causes, "<nil>: Invalid value: null: some validation rules were not checked because the object "+
				"was invalid; correct the existing errors to complete validation")
		}
	}
	return causes
}

// refusal is a refusal in the server's words.
func (r rule) refusal(name string) string {
	says, causes := r.says, r.causes()
	if len(causes) > 1 {
		says = "[" + strings.Join(causes, ", ") + "]"
	}
	return fmt.Sprintf("%s.scratch.example.com %q is invalid: %s", r.kind(), name, says)
}

// object is an object of the rule's kind, with these fields of spec in the place of those before the change.
func (r rule) object(name string, fields object) object {
	base := sleeping()
	if r.kind() == "ProcessSet" {
		base = with(template(nil), object{"selector": labelled(1)})
	}
	return booked(r.kind(), name, with(with(base, r.was), fields))
}

// Each rule lets through what is at its edge, and refuses what is behind it: with 422, in these words, which kubectl
// passes on.
//
// covers: S0-28
func TestEachRuleSaysWhatIsWrong(t *testing.T) {
	testkit.Needs(t, testkit.MinorVersion) // the words are its
	s := newStage(t)
	var wrong, says []string
	for i, r := range slices.Concat(rulesOfProcess(), rulesOfProcessSet()) {
		name, method, path := fmt.Sprintf("rule-%02d", i), http.MethodPost, s.path(r.resource())
		if r.was != nil {
			s.must(method, path, r.object(name, nil))
			method, path = http.MethodPatch, s.path(r.resource(), name)
		}
		a := s.ask(method, path+"?dryRun=All", r.object(name, r.right))
		require.True(t, a.OK(), "%s: %s", r.name, a.Body)

		body := r.object(name, r.wrong)
		a = s.ask(method, path, body)
		var status metav1.Status
		require.NoError(t, json.Unmarshal(a.Body, &status), r.name)
		require.Equal(t, http.StatusUnprocessableEntity, a.Code, "%s: %s", r.name, a.Body)
		require.Equal(t, metav1.StatusReasonInvalid, status.Reason, r.name)
		require.Equal(t, r.refusal(name), status.Message, r.name)
		manifest, err := json.Marshal(body)
		require.NoError(t, err)
		wrong, says = append(wrong, string(manifest)), append(says, status.Message)
	}
	kubectl := cluster.KubectlFor(t, s.Kubeconfig, s.Namespace)
	out, err := kubectl.Try(strings.Join(wrong, "\n---\n"), "apply", "-f", "-")
	require.Error(t, err, out)
	for _, message := range says {
		require.Contains(t, out, `"STDIN": `+message+"\n")
	}
	out, err = kubectl.Try(wrong[0], "apply", "-f", "-") // of one object alone kubectl says it in a form of its own
	require.Error(t, err, out)
	require.True(t, strings.HasPrefix(out, "The Process \"rule-00\" is invalid: \n* spec.command: Required value\n* <nil>: "), out)
}

// The table above has each rule that a marker puts into the CRDs.
func TestEachRuleIsInTheTable(t *testing.T) {
	all, err := install.Definitions()
	require.NoError(t, err)
	inCRDs := map[string]bool{}
	for _, crd := range all {
		kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		spec := schemaOf(version(crd.Object["spec"].(object), 0))["spec"].(object)
		collectRules(spec, kind+" spec", inCRDs)
	}
	inTable := map[string]bool{}
	for _, r := range slices.Concat(rulesOfProcess(), rulesOfProcessSet()) {
		require.False(t, inTable[r.name], r.name)
		inTable[r.name] = true
	}
	require.Equal(t, slices.Sorted(maps.Keys(inCRDs)), slices.Sorted(maps.Keys(inTable)))
}

// collectRules names the rules of a schema and of what is in it. A template's spec has those of Process.
func collectRules(schema object, at string, found map[string]bool) {
	for _, keyword := range []string{"minLength", "maxLength", "minimum", "maximum", "enum", "pattern",
		"minItems", "maxItems", "minProperties", "maxProperties"} {
		if schema[keyword] != nil {
			found[at+" "+keyword] = true
		}
	}
	if schema["x-kubernetes-list-map-keys"] != nil {
		found[at+" listMapKeys"] = true
	}
	each := func(keyword string, add func(value any)) {
		values, _ := schema[keyword].([]any)
		for _, value := range values {
			add(value)
		}
	}
	each("required", func(name any) { found[at+"."+name.(string)+" required"] = true })
	each("x-kubernetes-validations", func(r any) { found[at+" rule "+r.(object)["rule"].(string)] = true })
	if items, ok := schema["items"].(object); ok {
		collectRules(items, at+"[]", found)
	}
	properties, _ := schema["properties"].(object)
	for name, property := range properties {
		if path := at + "." + name; path != "ProcessSet spec.template.spec" {
			collectRules(property.(object), path, found)
		}
	}
}

// A refusal may not be the whole story. A value that is missing, too long or none of a list keeps the rules in CEL from
// being checked: mend it, and the next refusal comes.
func TestARefusalMayNotBeTheWholeStory(t *testing.T) {
	s := newStage(t)
	refusals := func(fields object) int {
		a := s.ask(http.MethodPost, s.path("processes"), process("broken", fields))
		require.Equal(t, http.StatusUnprocessableEntity, a.Code, "%s", a.Body)
		notAll := strings.Contains(string(a.Body), "some validation rules were not checked")
		require.Equal(t, fields["restartPolicy"] == "Sometimes", notAll, "%s", a.Body)
		return len(a.Refusal())
	}
	broken := object{"command": "sleep 60", "gracePeriodSeconds": -1, "maxRestarts": 3}
	require.Equal(t, 3, refusals(broken), "a number that is too small and two rules in CEL")
	require.Equal(t, 2, refusals(with(broken, object{"restartPolicy": "Sometimes"})), "the number and the list")
}
