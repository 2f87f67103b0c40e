package upstreamtests

import (
	"go/ast"
	"go/token"
	"slices"
)

// A choice is what of upstream's source is compiled anew.
//
// Tests are, with their helpers. Of the package itself a declaration is borrowed, by its source, if a test needs it and
// an alias will not do: because it is not exported, or because it reaches what is replaced and has to reach the
// replacement. A borrowed type is another type than upstream's, so what mentions it has to be borrowed as well.
type choice struct {
	src      *source
	replaced map[string]bool // by name: what the shims declare, methods as "Type.Method"
	aliased  map[string]bool // by name: what stays upstream's in any case

	borrowed map[*decl]bool
	tests    map[*decl]bool
	tainted  map[*decl]bool // reaches what is replaced
	queue    []*decl
}

// choose finds what is needed for some tests. borrow are names that are borrowed in any case.
func choose(src *source, b build, replaced map[string]bool, tests []string) *choice {
	c := &choice{src: src, replaced: replaced, aliased: setOf(b.alias), borrowed: map[*decl]bool{}}
	for _, name := range b.borrow {
		if d := src.find(name); d != nil {
			c.borrowed[d] = true
		}
	}
	for before := -1; before < len(c.borrowed); {
		before = len(c.borrowed)
		c.round(tests)
	}
	return c
}

// round follows the names from the tests, and from what was borrowed in the rounds before.
func (c *choice) round(tests []string) {
	before := c.borrowed
	c.borrowed, c.tests = map[*decl]bool{}, map[*decl]bool{}
	c.taint(before)
	for d := range before {
		c.borrow(d)
	}
	for _, name := range tests {
		c.need(c.src.findTest(name))
	}
	for len(c.queue) > 0 {
		d := c.queue[0]
		c.queue = c.queue[1:]
		used, _ := c.src.uses(d)
		for _, u := range used {
			c.need(u)
		}
	}
}

// need sees to it that a declaration is there.
func (c *choice) need(d *decl) {
	switch {
	case d == nil || c.isReplaced(d):
	case d.file.test:
		if !c.tests[d] {
			c.tests[d] = true
			c.follow(d)
		}
	case !c.canBeAliased(d):
		c.borrow(d)
	}
	if d != nil { // helpers that the tests hang on it
		for _, m := range d.methods {
			if m.file.test && !c.tests[m] && !c.isReplaced(m) {
				c.tests[m] = true
				c.queue = append(c.queue, m)
			}
		}
	}
}

func (c *choice) borrow(d *decl) {
	if !c.borrowed[d] {
		c.borrowed[d] = true
		c.follow(d)
	}
}

// follow has the names of a declaration and of its methods looked at.
func (c *choice) follow(d *decl) {
	c.queue = append(c.queue, d)
	for _, m := range d.methods {
		if m.file.test == d.file.test {
			c.queue = append(c.queue, m)
		}
	}
}

func (c *choice) isReplaced(d *decl) bool {
	return slices.ContainsFunc(d.names, func(name string) bool { return c.replaced[name] })
}

// canBeAliased says whether upstream's own, under the same name, will do.
func (c *choice) canBeAliased(d *decl) bool {
	if slices.ContainsFunc(d.names, func(name string) bool { return c.aliased[name] }) {
		return true
	}
	exported := !slices.ContainsFunc(d.names, func(name string) bool { return !token.IsExported(name) })
	return exported && !c.tainted[d] && !isGenericFunc(d)
}

// isGenericFunc says whether a declaration is a function for which there is no alias.
func isGenericFunc(d *decl) bool {
	f, ok := d.node.(*ast.FuncDecl)
	return ok && f.Type.TypeParams != nil
}

// taint finds what reaches what is replaced, or a type that is borrowed.
func (c *choice) taint(borrowed map[*decl]bool) {
	users := map[*decl][]*decl{}
	c.tainted = map[*decl]bool{}
	var queue []*decl
	mark := func(d *decl) {
		if !c.tainted[d] && !slices.ContainsFunc(d.names, func(name string) bool { return c.aliased[name] }) {
			c.tainted[d] = true
			queue = append(queue, d)
		}
	}
	for _, d := range c.src.all {
		if d.file.test {
			continue
		}
		for _, part := range append([]*decl{d}, d.methods...) {
			if part.file.test {
				continue
			}
			used, _ := c.src.uses(part)
			for _, u := range used {
				users[u] = append(users[u], d)
			}
		}
		if _, isType := d.node.(*ast.TypeSpec); c.isReplaced(d) || isType && borrowed[d] {
			mark(d)
		}
	}
	for len(queue) > 0 {
		d := queue[0]
		queue = queue[1:]
		for _, user := range users[d] {
			mark(user)
		}
	}
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}
