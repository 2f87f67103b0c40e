package grader

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise/stub"
)

// unwritten are the functions that a stage is the first to ask for, and whose bodies are the stub's, as syntax. A
// function that grows from stage to stage is none of them once it was begun.
func (v variant) unwritten(stubText []byte, s Stage) (out []string) {
	want, err := parseSource(stubText)
	if err != nil {
		return nil
	}
	have, err := parseSource(v.source)
	if err != nil {
		return nil
	}
	bodies := have.bodies()
	for name, body := range want.bodies() {
		if body.stage == s.Number && bodies[name].tokens == body.tokens {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// body is that of a function, and the first stage that the function's comment has requirements of.
type body struct {
	tokens string
	stage  int
}

// bodies are those of a file's functions, by name: Add, or Queue.Add.
func (s sourceFile) bodies() map[string]body {
	out := map[string]body{}
	for _, d := range s.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		name := f.Name.Name
		if f.Recv != nil && len(f.Recv.List) == 1 {
			of := f.Recv.List[0].Type
			name = strings.TrimLeft(string(s.between(of.Pos(), of.End())), "*") + "." + name
		}
		b := body{tokens: stub.Tokens(s.between(f.Body.Pos(), f.Body.End()))}
		if m := stageHeading.FindStringSubmatch(f.Doc.Text()); m != nil {
			b.stage, _ = strconv.Atoi(m[1])
		}
		out[name] = b
	}
	return out
}
